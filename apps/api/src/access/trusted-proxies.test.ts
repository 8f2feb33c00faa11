import { expect, test } from "vitest";
import { trustedProxies } from "./trusted-proxies.ts";

const isTrusted = trustedProxies(["10.4.0.10", "192.168.4.0/23", "fd00::1", "fd01::/16"]);

test.each(["10.4.0.10", "::ffff:10.4.0.10", "192.168.4.0", "192.168.5.255", "fd00::1", "fd01:2::3"])(
  "%s is a proxy",
  (address) => expect(isTrusted(address)).toBe(true),
);

test.each([undefined, "", "proxy", "10.4.0.11", "192.168.3.255", "192.168.6.0", "fd00::2", "fd02::1"])(
  "%s is none",
  (address) => expect(isTrusted(address)).toBe(false),
);
