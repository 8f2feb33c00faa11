/** One event of an answer of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of an answer to a POST, as they arrive; comments that keep the connection alive are no events. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (rest + decoder.decode(part.value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = field(block, "event");
        if (event !== null) yield { event, data: field(block, "data") ?? "" };
      }
    }
  } finally {
    // A consumer that stops reading cancels the answer.
    await reader.cancel();
  }
}

function field(block: string, name: string): string | null {
  const line = block.split("\n").find((each) => each.startsWith(`${name}: `));
  return line === undefined ? null : line.slice(name.length + 2);
}
