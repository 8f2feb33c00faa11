/** Assigns files to servers and servers to captures, from the names in their events. */
export type { GroupedCapture, GroupedServer } from "./captures.ts";
export type { FileToGroup } from "./files.ts";
export { groupFiles, type Grouping } from "./group-files.ts";
export { serversText, shortId, topologyName } from "./names.ts";
export { identityOf, IdentityOfParts, type FileIdentity } from "./identity.ts";
