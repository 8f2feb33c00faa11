/** Limits for the kept bytes and the analyses, of each person and of all. */
import { problem } from "@aglens/engine/problems";
import { plural } from "@aglens/ag-model/words";
import type { Config } from "../settings/settings.ts";
import type { Catalog, CaptureRecord } from "../store/catalog.ts";

type Limits = Pick<Config, "quotaBytes" | "quotaBytesPerPerson" | "analysesPerPerson">;

export class Quotas {
  readonly #catalogue: Catalog;
  readonly #limits: Limits;
  readonly #unfinished: (owner?: string) => Promise<number>;

  /**
   * A limit of 0 means no limit.
   * @param unfinished bytes that uploads in parts will have, of all captures or of one person's
   */
  constructor(
    catalogue: Catalog,
    limits: Limits,
    unfinished: (owner?: string) => Promise<number> = () => Promise.resolve(0),
  ) {
    this.#catalogue = catalogue;
    this.#limits = limits;
    this.#unfinished = unfinished;
  }

  /** @throws ProblemError `over-quota` when so many additional bytes exceed a quota */
  async expectBytes(record: CaptureRecord, bytes: number): Promise<void> {
    const left = await this.#left(record);
    if (left !== null && bytes > left.bytes) throw overQuota(left);
  }

  /**
   * The bytes of an upload as they arrive, until a quota is used up: that of the capture's owner, or that of all.
   * @param announced bytes that the client announces; 0 when it does not
   * @throws ProblemError `over-quota`, at once where the announced bytes are too many
   */
  async within(
    record: CaptureRecord,
    announced: number,
    source: AsyncIterable<Uint8Array>,
  ): Promise<AsyncIterable<Uint8Array>> {
    const left = await this.#left(record);
    if (left === null) return source;
    if (announced > left.bytes || left.bytes <= 0) throw overQuota(left);
    return limited(source, left);
  }

  /** @throws ProblemError `over-quota` when so many captures of the same owner are analyzed already */
  async expectAnalysis({ owner }: CaptureRecord): Promise<void> {
    const { analysesPerPerson: most } = this.#limits;
    if (owner === undefined || most === 0 || (await this.#catalogue.analysing(owner.id)) < most) return;
    throw problem(
      "over-quota",
      `${plural(most, "# capture")} of ${owner.name} are analyzed or wait for it, which is the limit. Wait for one to end, or cancel it.`,
    );
  }

  async #taken(owner?: string): Promise<number> {
    return (await this.#catalogue.bytes(owner)) + (await this.#unfinished(owner));
  }

  async #left({ owner }: CaptureRecord): Promise<Left | null> {
    const { quotaBytes, quotaBytesPerPerson } = this.#limits;
    const lefts: Left[] = [];
    if (quotaBytes > 0) {
      lefts.push({ bytes: quotaBytes - (await this.#taken()), quota: quotaBytes, whose: "this server" });
    }
    if (quotaBytesPerPerson > 0 && owner !== undefined) {
      const bytes = quotaBytesPerPerson - (await this.#taken(owner.id));
      lefts.push({ bytes, quota: quotaBytesPerPerson, whose: owner.name });
    }
    return lefts.toSorted((a, b) => a.bytes - b.bytes)[0] ?? null;
  }
}

interface Left {
  readonly bytes: number;
  readonly quota: number;
  readonly whose: string;
}

async function* limited(source: AsyncIterable<Uint8Array>, left: Left): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const part of source) {
    bytes += part.length;
    if (bytes > left.bytes) throw overQuota(left);
    yield part;
  }
}

const MB = 1e6;
const inMegabytes = (bytes: number): string =>
  `${Math.max(0, bytes / MB).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

function overQuota({ bytes, quota, whose }: Left): Error {
  return problem(
    "over-quota",
    `Can't store the file: the quota for files of ${whose} is ${inMegabytes(quota)}, and ${inMegabytes(bytes)} are left. Permanently delete captures, also in the trash, or ask an administrator for a larger quota.`,
  );
}
