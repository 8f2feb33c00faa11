/** The bundled script of `aglens mcp`, for the single executable and for a start without TypeScript. */
import { runMcpCommand } from "./mcp-command.ts";

// Tables in the temporary folder are of this account alone.
process.umask(0o077);
const [, , command, ...args] = process.argv;
// The executable loads this script with `require`, which allows no `await` here.
void runMcpCommand(command === "mcp" ? args : process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
