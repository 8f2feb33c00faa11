/** Printed values and times, and their meaning. */
import { describe, expect, test } from "vitest";
import type { XelValue } from "../format/index.ts";
import { ticksOfTime, valueOf } from "./values.ts";
import { WrittenType } from "./written-type.ts";

const GUID = "60aa9fbf-673b-4553-b7ed-71dca7f5e972";

describe("a value of a known type", () => {
  test.each<readonly [string, string, XelValue]>([
    ["int8", "5", 5],
    ["int16", "-7", -7],
    ["int32", "-2147483648", -2_147_483_648],
    ["uint8", "255", 255],
    ["uint16", "65535", 65_535],
    ["uint32", "4294967295", 4_294_967_295],
    ["char", "65", 65],
    ["wchar", "66", 66],
    ["uint32", "07", 7],
    ["uint32", "1.5", "1.5"],
    ["uint32", "", ""],
    ["uint32", "5 pages", "5 pages"],
    ["uint32", "x5", "x5"],
    ["int64", "-9223372036854775808", -9_223_372_036_854_775_808n],
    ["uint64", "18446744073709551615", 18_446_744_073_709_551_615n],
    ["cpu_cycle", "0", 0n],
    ["uint64", "0x10", "0x10"],
    ["float64", "1.5", 1.5],
    ["float32", "-2e3", -2000],
    ["float64", "NaN", Number.NaN],
    ["float64", "", ""],
    ["float64", " ", " "],
    ["float64", "1,5", "1,5"],
    ["boolean", "true", true],
    ["boolean", "True", true],
    ["boolean", "1", true],
    ["boolean", "false", false],
    ["boolean", "FALSE", false],
    ["boolean", "0", false],
    ["boolean", "2", "2"],
    ["boolean", "10", "10"],
    ["boolean", "untrue", "untrue"],
    ["guid", `{${GUID.toUpperCase()}}`, GUID],
    ["guid", GUID, GUID],
    ["activity_id", `${GUID.toUpperCase()}-12`, `${GUID}:12`],
    ["activity_id_xfer", `${GUID}:0`, `${GUID}:0`],
    ["activity_id", GUID, GUID],
    ["activity_id", `x${GUID}-1`, `x${GUID}-1`],
    ["activity_id", `${GUID}-1x`, `${GUID}-1x`],
    ["binary_data", "0x00abFF", Uint8Array.of(0, 0xab, 0xff)],
    ["binary_data", "00ab", Uint8Array.of(0, 0xab)],
    ["binary_data", "", new Uint8Array(0)],
    ["binary_data", "0xabc", "0xabc"],
    ["binary_data", "0xzz", "0xzz"],
    ["ptr", "0xab12", "0x000000000000AB12"],
    ["ptr", "0x0123456789abcdef", "0x0123456789ABCDEF"],
    ["ptr", "0x0123456789abcdef0", "0x0123456789abcdef0"],
    ["ptr", "ab", "ab"],
    ["unicode_string", "12", "12"],
    ["map", "true", "true"],
  ])("%s %j", (type, text, value) => {
    expect(valueOf(text, type)).toEqual(value);
  });
});

test.each<readonly [string, XelValue]>([
  ["true", true],
  ["false", false],
  ["True", "True"],
  ["0", 0],
  ["-0", "-0"],
  ["-5", -5],
  ["05", "05"],
  ["5.0", "5.0"],
  ["9007199254740991", 9_007_199_254_740_991],
  ["9007199254740992", 9_007_199_254_740_992n],
  ["-9007199254740992", -9_007_199_254_740_992n],
  ["9223372036854775807", 9_223_372_036_854_775_807n],
  ["18446744073709551615", 18_446_744_073_709_551_615n],
  // Twenty digits fit in 64 bits only when they begin with 1.
  ["20000000000000000000", "20000000000000000000"],
  ["-18446744073709551615", "-18446744073709551615"],
  ["123456789012345678901", "123456789012345678901"],
  ["", ""],
  ["text", "text"],
])("%j without a type", (text, value) => {
  expect(valueOf(text, undefined)).toEqual(value);
});

test.each<readonly [string, bigint | undefined]>([
  // 116,444,736,000,000,000 units of 100 ns are between 1601 and 1970.
  ["1970-01-01T00:00:00Z", 116_444_736_000_000_000n],
  ["1970-01-01 00:00:00", 116_444_736_000_000_000n],
  [" 1970-01-01 00:00:00.1 ", 116_444_736_001_000_000n],
  ["1970-01-01T00:00:00.0000001Z", 116_444_736_000_000_001n],
  ["1970-01-01T00:00:00.00000019Z", 116_444_736_000_000_001n],
  ["1970-01-01T02:00:00+02:00", 116_444_736_000_000_000n],
  ["1970-01-01 00:00:01.5 -01:30", 116_444_790_015_000_000n],
  ["1969-12-31T23:59:59.9999999Z", 116_444_735_999_999_999n],
  ["1970-13-01T00:00:00Z", undefined],
  ["1970-01-01", undefined],
  ["01.01.1970 00:00:00", undefined],
  ["x1970-01-01T00:00:00Z", undefined],
  ["1970-01-01T00:00:00Z x", undefined],
  ["", undefined],
])("the time %j", (text, ticks) => {
  expect(ticksOfTime(text)).toBe(ticks);
});

describe("the type of a column that holds every value seen", () => {
  const typeOf = (known: string | undefined, ...values: XelValue[]): string => {
    const type = new WrittenType(known);
    for (const value of values) type.see(value);
    return type.type;
  };
  const B = 1n;

  test.each<readonly [string, string | undefined, XelValue[]]>([
    // The known type, while all values fit.
    ["uint8", "uint8", [0, 255]],
    ["int64", "uint8", [0, 256]],
    ["int64", "uint8", [-1]],
    ["int8", "int8", [255]],
    ["int64", "int8", [256]],
    ["int16", "int16", [-32_768, 32_767]],
    ["int64", "int16", [-32_769]],
    ["int64", "int16", [32_768]],
    ["uint16", "uint16", [65_535]],
    ["int64", "uint16", [65_536]],
    ["int32", "int32", [-2_147_483_648, 2_147_483_647]],
    ["int64", "int32", [2_147_483_648]],
    ["int64", "int32", [-2_147_483_649]],
    ["uint32", "uint32", [4_294_967_295]],
    ["int64", "uint32", [4_294_967_296]],
    ["int64", "int64", [-(B << 63n), (B << 63n) - 1n]],
    ["uint64", "int64", [B << 63n]],
    ["uint64", "uint64", [(B << 64n) - 1n]],
    ["unicode_string", "uint64", [B << 64n]],
    ["cpu_cycle", "cpu_cycle", [5n]],
    ["float32", "float32", [0.5, 2]],
    ["float64", "float64", [2]],
    ["int64", "float64", [2n]],
    ["boolean", "boolean", [true]],
    ["binary_data", "binary_data", [Uint8Array.of(1)]],
    ["guid", "guid", [GUID]],
    ["unicode_string", "guid", [GUID, "none"]],
    ["unicode_string", "guid", [GUID.toUpperCase()]],
    ["activity_id", "activity_id", [`${GUID}:7`]],
    ["activity_id_xfer", "activity_id_xfer", [`${GUID}:999999999`]],
    ["unicode_string", "activity_id", [GUID]],
    ["unicode_string", "activity_id", [`${GUID}:1234567890`]],
    ["ptr", "ptr", ["0x0123456789ABCDEF"]],
    ["unicode_string", "ptr", ["0xab"]],
    ["unicode_string", "ptr", ["0x0123456789ABCDEF0"]],
    ["xml", "xml", ["<a/>"]],
    ["boolean", "xml", [true]],
    ["unicode_string", "unicode_string", ["a"]],
    ["unicode_string", "map", ["a"]],
    ["unicode_string", "map", [5, "a"]],
    // Without a type, the common type of the values.
    ["int64", undefined, [1, 2n, -3]],
    ["uint64", undefined, [B << 63n]],
    ["unicode_string", undefined, [-1n, B << 63n]],
    ["unicode_string", undefined, [-(B << 63n) - 1n]],
    ["float64", undefined, [1, 0.5]],
    ["float64", undefined, [0.5]],
    ["boolean", undefined, [true, false]],
    ["unicode_string", undefined, [true, 1]],
    ["binary_data", undefined, [Uint8Array.of(1)]],
    ["unicode_string", undefined, [Uint8Array.of(1), "a"]],
    ["unicode_string", undefined, ["a"]],
    ["unicode_string", undefined, [0.5, "a"]],
  ])("%s for a field known as %s", (expected, known, values) => {
    expect(typeOf(known, ...values)).toBe(expected);
  });
});
