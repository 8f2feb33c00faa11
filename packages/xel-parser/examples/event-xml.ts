import { createReadStream } from "node:fs";
import { agTypeOf } from "xel-parser/events";
import { toJson } from "xel-parser/format";
import { readEventXml } from "xel-parser/text-events";

/** Events that a query of `sys.fn_xe_file_target_read_file` or of a ring buffer saved as XML, as lines of JSON. */
export async function* jsonLines(path: string): AsyncGenerator<string> {
  // The file target's XML does not tell types; agTypeOf knows those of the events of availability groups.
  for await (const event of readEventXml(createReadStream(path), { typeOf: agTypeOf })) yield toJson(event);
}
