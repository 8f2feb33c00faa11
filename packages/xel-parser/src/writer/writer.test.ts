import { describe, expect, it } from "vitest";
import { createXelWriter, XelWriteError, type WriterSchema } from "./index.ts";

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join(" ");

/** Shape of the worked example in docs/reference/xel-format.md 10: fixed columns, a map of one byte, strings, actions. */
const schema: WriterSchema = {
  packages: [
    {
      name: "sqlserver",
      id: 2,
      maps: [
        {
          name: "result",
          bytes: 1,
          entries: [
            [0, "OK"],
            [1, "Error"],
          ],
        },
      ],
      actions: [
        { name: "session_id", type: "uint16" },
        { name: "user", type: "unicode_string" },
      ],
      events: [
        {
          name: "rpc_completed",
          columns: [
            { name: "cpu_time", type: "uint64" },
            { name: "result", type: { map: "result" } },
            { name: "object_name", type: "unicode_string" },
            { name: "data_stream", type: "binary_data" },
          ],
        },
        { name: "plain", columns: [{ name: "id", type: "guid" }] },
      ],
    },
  ],
};

function u16(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8);
}
function u32(bytes: Uint8Array, at: number): number {
  return (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;
}

describe("writer", () => {
  it("starts with the file header of docs/reference/xel-format.md 2.1", () => {
    const file = createXelWriter(schema).finish();
    expect(hex(file.subarray(0, 8))).toBe("5a 37 ab ef 0a 00 00 02");
    // A metadata buffer follows: version 10, type 1, data at 76.
    expect([u16(file, 524), u16(file, 526), u16(file, 534)]).toEqual([10, 1, 76]);
    expect(512 + u32(file, 528)).toBe(file.length);
    expect(file.length % 512).toBe(0);
  });

  it("writes an event byte by byte as in the worked example of docs/reference/xel-format.md 10", () => {
    const writer = createXelWriter(schema, { startTicks: 0x01d3475ef5f2af00n });
    writer.write(
      "rpc_completed",
      0x28ba916fc6n,
      { cpu_time: 56, result: "Error", object_name: "sp", data_stream: new Uint8Array([0xaa, 0xbb]) },
      { session_id: 182, user: "N" },
    );
    const file = writer.finish();
    const buffer = 512 + u32(file, 528);
    expect([u16(file, buffer + 12), u16(file, buffer + 14), u32(file, buffer + 16)]).toEqual([10, 0, 512]);
    const data = buffer + u16(file, buffer + 22);
    const length = u32(file, buffer + 24);
    expect(hex(file.subarray(data, data + length))).toBe(
      [
        "02 00 00 00", // event 0 of package 2
        "0a 00 00 80", // version 10, actions follow
        "00 00 00 00",
        "c6 6f 91 ba 28 00 00 00", // ticks 174928785350
        "1f 00 00 00", // payload 31 bytes
        "38 00 00 00 00 00 00 00", // cpu_time 56
        "01", // result Error
        "19 00 00 00 04 00 00 00", // object_name at 25, 4 bytes
        "1d 00 00 00 02 00 00 00", // data_stream at 29, 2 bytes
        "73 00 70 00",
        "aa bb",
        "02 00 00 10 02 00 00 00 b6 00", // action 0 of package 2, 182
        "02 04 00 10 02 00 00 00 4e 00",
        "00 00 00 60 00 00 00 00", // end of the action list
      ].join(" "),
    );
  });

  it("writes a GUID in Windows order behind a descriptor, and no action list without actions", () => {
    const writer = createXelWriter(schema);
    writer.write("sqlserver.plain", 1n, { id: "60aa9fbf-673b-4553-b7ed-71dca7f5e972" });
    const file = writer.finish();
    const data = 512 + u32(file, 528) + 76;
    expect(hex(file.subarray(data + 4, data + 8))).toBe("0a 00 00 00");
    expect(hex(file.subarray(data + 24, data + 32))).toBe("08 00 00 00 10 00 00 00");
    expect(hex(file.subarray(data + 32, data + 48))).toBe("bf 9f aa 60 3b 67 53 45 b7 ed 71 dc a7 f5 e9 72");
  });

  it("splits 64-bit numbers in halves, negative ones too", () => {
    const numbers: WriterSchema = {
      packages: [
        {
          name: "p",
          id: 1,
          events: [
            {
              name: "e",
              columns: [
                { name: "a", type: "int64" },
                { name: "b", type: "uint64" },
              ],
            },
          ],
        },
      ],
    };
    const writer = createXelWriter(numbers);
    writer.write("e", -10, { a: -2, b: 0xffff_ffff_ffff_ffffn });
    const file = writer.finish();
    const data = 512 + u32(file, 528) + 76;
    expect(hex(file.subarray(data + 12, data + 20))).toBe("f6 ff ff ff ff ff ff ff");
    expect(hex(file.subarray(data + 24, data + 40))).toBe("fe ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff");
  });

  it("closes buffers at the limit and hands them to the sink as they fill", () => {
    const pieces: number[] = [];
    const writer = createXelWriter(schema, {
      bufferBytes: 100,
      onBuffer: (bytes) => pieces.push(bytes.length),
    });
    for (let i = 0; i < 5; i++) writer.write("plain", i, { id: "60aa9fbf-673b-4553-b7ed-71dca7f5e972" });
    // Two events of 40 bytes fit into 100: after the fifth, two buffers are out and one is open.
    expect(pieces.slice(2)).toEqual([512, 512]);
    expect(writer.finish()).toHaveLength(0);
    expect(pieces.slice(2)).toEqual([512, 512, 512]);
  });

  it("says what cannot be written", () => {
    const writer = createXelWriter(schema);
    expect(() => writer.write("nothing", 0, {})).toThrow(XelWriteError);
    expect(() => writer.write("plain", 0, { other: 1 })).toThrow("has no column other");
    expect(() => writer.write("plain", 0, { id: "x" })).toThrow("not a GUID");
    expect(() => writer.write("rpc_completed", 0, { cpu_time: 0.5 })).toThrow("cannot hold 0.5");
  });
});
