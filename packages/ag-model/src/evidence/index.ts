/** Other files of a capture's folder next to its model: their servers' clocks, and what agrees. */
export { agreementOf } from "./agreement.ts";
export { mayHaveDatabases } from "./group-of-databases.ts";
export { originUsOf, serverClocks, type ServerClock } from "./server-clocks.ts";
