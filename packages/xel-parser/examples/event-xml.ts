import { createReadStream } from "node:fs";
import { toJson } from "xel-parser/format";
import { readEventXml, type TypeOf } from "xel-parser/text-events";

/** The file target's XML does not contain types: where no type is set, a value in the form of a number is a number. */
const typeOf: TypeOf = (_event, field) => (field === "database_id" ? "uint32" : undefined);

/** Events that a query of `sys.fn_xe_file_target_read_file` or of a ring buffer saved as XML, as lines of JSON. */
export async function* jsonLines(path: string): AsyncGenerator<string> {
  for await (const event of readEventXml(createReadStream(path), { typeOf })) yield toJson(event);
}
