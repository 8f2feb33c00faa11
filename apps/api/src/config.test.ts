import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

const GIB = 1024 ** 3;

test("without any variable the defaults are those of a machine of one's own", () => {
  expect(readConfig({}, "/aglens")).toEqual({
    host: "127.0.0.1",
    port: 4700,
    hosts: [],
    dataDirectory: "/aglens/.data",
    maxUploadBytes: 8 * GIB,
    maxFiles: 500,
    keepDays: 90,
    writesPerMinute: 600,
    webDirectory: "/aglens/apps/web/dist",
    samplesDirectory: "/aglens/fixtures/captures",
    logLevel: "warn",
    liveHosts: undefined,
    liveKeepBytes: 8 * GIB,
    keepFreeBytes: null,
  });
});

test("each variable changes its setting", () => {
  const environment = {
    HOST: "0.0.0.0",
    PORT: "80",
    AGLENS_HOSTS: "AGLens.corp, ::1,10.0.0.1,",
    AGLENS_DATA: "/data",
    AGLENS_MAX_UPLOAD_BYTES: "1000",
    AGLENS_MAX_FILES: "7",
    AGLENS_KEEP_DAYS: "3",
    AGLENS_WRITES_PER_MINUTE: "5",
    AGLENS_WEB: "/web",
    AGLENS_SAMPLES: "/samples",
    AGLENS_LOG: "info",
    AGLENS_LIVE_HOSTS: "sql1",
    AGLENS_LIVE_KEEP_BYTES: "2000",
    AGLENS_KEEP_FREE_BYTES: "3000",
  };
  expect(readConfig(environment, "/aglens")).toEqual({
    host: "0.0.0.0",
    port: 80,
    hosts: ["aglens.corp", "::1", "10.0.0.1"],
    dataDirectory: "/data",
    maxUploadBytes: 1000,
    maxFiles: 7,
    keepDays: 3,
    writesPerMinute: 5,
    webDirectory: "/web",
    samplesDirectory: "/samples",
    logLevel: "info",
    liveHosts: "sql1",
    liveKeepBytes: 2000,
    keepFreeBytes: 3000,
  });
});

test("0 days keep captures for good, an empty number is none", () => {
  expect(readConfig({ AGLENS_KEEP_DAYS: "0" }, "").keepDays).toBeNull();
  expect(readConfig({ AGLENS_KEEP_DAYS: "1" }, "").keepDays).toBe(1);
  expect(readConfig({ PORT: "" }, "").port).toBe(4700);
  expect(readConfig({ PORT: "0" }, "").port).toBe(0);
});

test.each(["-1", "1.5", "many", "1e400"])("%s is no number of files", (text) => {
  expect(() => readConfig({ AGLENS_MAX_FILES: text }, "")).toThrow(
    expect.objectContaining({
      code: "bad-setting",
      message: `AGLENS_MAX_FILES must be a whole number, it is "${text}".`,
    }),
  );
});

test.each(["http://aglens.corp", "aglens.corp:4700", "*", "a b"])("%s is no name of a host", (text) => {
  expect(() => readConfig({ AGLENS_HOSTS: text }, "")).toThrow(
    expect.objectContaining({
      code: "bad-setting",
      message: expect.stringContaining(`"${text}" is not a name`),
    }),
  );
});
