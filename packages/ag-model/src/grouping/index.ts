/** Who is who: files -> servers -> captures, from what their events name. */
export type { GroupedCapture, GroupedServer } from "./captures.ts";
export type { FileToGroup } from "./files.ts";
export { groupFiles, type Grouping } from "./group-files.ts";
export { serversText, topologyName } from "./names.ts";
export { identityOf, IdentityOfParts, type FileIdentity } from "./identity.ts";
