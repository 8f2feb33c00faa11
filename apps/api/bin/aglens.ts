/** `npm run -s aglens -- COMMAND`. An assistant waits for the start of `mcp`, which needs nothing of the other commands. */
import { argv } from "node:process";

if (argv[2] === "mcp") await import("../src/mcp/main.ts");
else await import("./commands.ts");
