import { expect, test } from "vitest";
import { cookieOf, cookieOptions } from "./cookies.ts";

test.each([
  ["a=1; b=2", "b", "2"],
  ["a=1;b=2;", "b", "2"],
  ["a=1; a=2", "a", "1"],
  ["a=; a=2", "a", "2"],
  ["ab=1", "b", null],
  ["a", "a", null],
  ["a=", "a", null],
  ["a=1=2", "a", "1"],
  [undefined, "a", null],
])("of %j, %s is %j", (cookie, name, value) => {
  expect(cookieOf({ headers: cookie === undefined ? {} : { cookie } }, name)).toBe(value);
});

test.each([
  [false, null, false],
  [true, null, true],
  [false, "https://aglens.example", true],
  [false, "http://aglens.example", false],
  [true, "http://aglens.example", true],
])(
  "a request by TLS (%s) of a server at %s gets a cookie for TLS alone: %s",
  (secure, publicUrl, isSecure) => {
    expect(cookieOptions({ secure }, { publicUrl })).toEqual({
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: isSecure,
    });
  },
);
