import { openEventStream, type StreamRow, type XelEvent } from "xel-parser/format";

/**
 * Events of a running session. `rows` are the rows of `select type, data from sys.fn_MSxe_read_event_stream(@source,
 * 0)`.
 */
export async function* liveEvents(rows: AsyncIterable<StreamRow>): AsyncGenerator<XelEvent> {
  const stream = openEventStream();
  for await (const row of rows) {
    const { decoded, undecoded } = stream.push(row);
    if (undecoded !== null) console.warn(undecoded.message);
    yield* decoded;
  }
}
