import fc from "fast-check";
import { expect, test } from "vitest";
import { inChunks } from "../../test/bytes.ts";
import { readXel, XelFormatError } from "../format/index.ts";
import { readTextEvents, textKindOf, xelOfText, type TextKind } from "./index.ts";

const EVENT =
  '<event name="log_flush_start" package="sqlserver" timestamp="2026-01-02T03:04:05.006Z"><data name="database_id">' +
  '<type name="uint32" package="package0"/><value>5</value><text>x&#x1;<![CDATA[y]]></text></data></event>';
const TEXTS: Record<TextKind, string> = {
  xml: `<RingBufferTarget truncated="0">${EVENT.repeat(4)}</RingBufferTarget>`,
  csv:
    "name,timestamp,duration\r\n" +
    'log_flush_start,2026-01-02 03:04:05.0061234,5\r\nx,2026-01-02 03:04:05,"a""b,\r\nc"\r\n'.repeat(4),
};
const PIECES = ["<", ">", '"', "'", "&", "&#x0;", "]]>", "<!--", "<?xml ?>", "<event>", "</event>", "<value>", ",", "\r\n", "\0", "\ufeff", "9".repeat(400)]; // prettier-ignore

const cut = fc.record({
  at: fc.nat({ max: 999 }),
  bytes: fc.nat({ max: 40 }),
  piece: fc.constantFrom("", ...PIECES),
});

/** The text with parts replaced by other text, at places in thousandths of its length. */
function damaged(text: string, cuts: readonly { at: number; bytes: number; piece: string }[]): string {
  let result = text;
  for (const { at, bytes, piece } of cuts) {
    const from = Math.floor((result.length * at) / 1000);
    result = result.slice(0, from) + piece + result.slice(from + bytes);
  }
  return result;
}

test.each(["xml", "csv"] as const)(
  "damaged %s gives events or the typed error, however it is cut up",
  async (kind) => {
    const property = fc.asyncProperty(
      fc.array(cut, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 300 }),
      async (cuts, size) => {
        const bytes = new TextEncoder().encode(damaged(TEXTS[kind], cuts));
        textKindOf(bytes);
        try {
          let events = 0;
          const reading = readTextEvents(kind, inChunks(bytes, size));
          let item = await reading.next();
          for (; item.done !== true; item = await reading.next()) events++;
          expect(item.value.events).toBe(events);
          for (const { offset, bytes: lost } of item.value.gaps) {
            expect(offset).toBeGreaterThanOrEqual(0);
            expect(lost).toBeGreaterThanOrEqual(0);
            expect(offset + lost).toBeLessThanOrEqual(bytes.length);
          }
          const whole = readTextEvents(kind, inChunks(bytes, bytes.length));
          let last = await whole.next();
          while (last.done !== true) last = await whole.next();
          expect(item.value).toEqual(last.value);
          const file = readXel(xelOfText(() => inChunks(bytes, size), kind, {}));
          let written = await file.next();
          while (written.done !== true) written = await file.next();
          expect(written.value).toMatchObject({ events, clean: true });
        } catch (error) {
          expect(error).toBeInstanceOf(XelFormatError);
        }
      },
    );
    await fc.assert(property, { numRuns: 300 });
  },
);
