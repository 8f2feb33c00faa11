/** The rich capture (`fixtures/world/rich.ts`) on a page that reads files itself: answers as screens get them, read and analyzed once per worker. */
import type { Summary } from "@aglens/contract";
import { richWorld } from "@aglens/fixtures/rich";
import type { CaptureSource } from "../src/data/capture-source.ts";
import { captureAddress } from "../src/data/capture-address.ts";
import { httpSource } from "../src/data/http-source.ts";
import { provideLocalServer, type LocalServer } from "../src/data/local-server.ts";
import { analysed, localPage } from "./local-page.ts";

export interface RichPage {
  readonly source: CaptureSource;
  readonly summary: Summary;
}

let known: Promise<{ readonly server: LocalServer; readonly id: string }> | undefined;

async function readRich(): Promise<{ readonly server: LocalServer; readonly id: string }> {
  const page = localPage();
  const files = richWorld().files.map(({ path, bytes }) => ({ path, bytes: new Uint8Array(bytes) }));
  return { server: page.server, id: await analysed(page, files) };
}

/** The page's source of answers, and the summary that it answers. */
export async function richPage(): Promise<RichPage> {
  const { server, id } = await (known ??= readRich());
  provideLocalServer(() => Promise.resolve(server));
  const source = httpSource(captureAddress(id));
  return { source, summary: await source.summary().ask(new AbortController().signal) };
}
