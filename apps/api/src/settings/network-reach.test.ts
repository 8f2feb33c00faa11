import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { isLoopback, networkReach } from "./network-reach.ts";

const reachOf = (settings: Readonly<Record<string, string>>) => networkReach(readConfig(settings, "/"));

test.each(["127.0.0.1", "127.1.2.3", "localhost", "LocalHost", "::1", "[::1]"])(
  "%s is this machine alone",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each(["", "0.0.0.0", "::", "10.0.0.1", "aglens.corp.example", "::ffff:10.0.0.1", "128.0.0.1"])(
  '"%s" is reached from the network',
  (host) => {
    expect(isLoopback(host)).toBe(false);
    expect(reachOf({ HOST: host })).toEqual({ setting: "HOST", value: host });
  },
);

test.each([
  {},
  { HOST: "localhost" },
  { AGLENS_PUBLIC_URL: "http://localhost:4700" },
  { AGLENS_PUBLIC_URL: "https://127.0.0.1/aglens" },
  { AGLENS_PUBLIC_URL: "http://[::1]:4700" },
  { AGLENS_HOSTS: "localhost,127.0.0.1,::1" },
])("only this machine reaches a server with %j", (settings) => {
  expect(reachOf(settings)).toBeNull();
});

test.each([
  ["AGLENS_PUBLIC_URL", "https://aglens.corp.example/", "https://aglens.corp.example"],
  ["AGLENS_PUBLIC_URL", "http://10.0.0.1:8080/a", "http://10.0.0.1:8080/a"],
  ["AGLENS_HOSTS", "localhost,aglens.corp.example", "aglens.corp.example"],
  ["AGLENS_TRUSTED_PROXIES", "127.0.0.1", "127.0.0.1"],
  ["AGLENS_TRUSTED_PROXIES", "::1,10.0.0.0/8", "::1"],
])("a server on a loopback address is reached from the network with %s=%s", (setting, text, value) => {
  expect(reachOf({ [setting]: text })).toEqual({ setting, value });
});
