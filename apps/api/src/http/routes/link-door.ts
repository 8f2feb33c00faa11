/** The way to a capture by a link to it. */
import type { Request, Response } from "express";
import {
  EvidenceAnswer,
  EvidenceSamples,
  LinkPassphrase,
  mapTexts,
  replacedNames,
  Summary,
} from "@aglens/contract";
import type { Link, OpenedLink, Person, z } from "@aglens/contract";
import { plural } from "@aglens/ag-model/words";
import type { Passing } from "../../access/passing.ts";
import { PassphraseTries } from "../../access/passphrase-tries.ts";
import type { TryingBrowser } from "../../access/passphrase-tries.ts";
import { isPassphrase, isUnlocked, unlockProof } from "../../access/passphrase.ts";
import { withoutSensitiveFields } from "../../access/sensitive-fields.ts";
import { hasRole } from "../../access/rules.ts";
import type { Answers } from "../../captures/answers/answers.ts";
import type { Captures } from "../../captures/captures.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../settings/config.ts";
import { hashOf, newId } from "../../kernel/identity.ts";
import { asLinkAsks } from "@aglens/engine/answers";
import { problem } from "@aglens/engine/problems";
import type { Catalog, KeptPassphrase, LinkRecord } from "../../store/catalog.ts";
import type { AnswerDoor, OpenedCapture } from "./answers.ts";
import { cookieOf, cookieOptions } from "../cookies.ts";
import { personOf } from "../guard.ts";
import { logOf } from "../request-log.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Period in which a browser that sent the passphrase is not asked again. */
const UNLOCKED_MS = 12 * HOUR_MS;
/**
 * Period in which a browser that sent the right passphrase is known, so that wrong tries of others do not lock it out.
 */
const KNOWN_MS = 90 * DAY_MS;

export interface LinkParts {
  readonly captures: Captures;
  readonly catalogue: Catalog;
  readonly answers: Answers;
  readonly passing: Pick<Passing, "tries">;
  readonly clock: Clock;
  readonly config: Pick<Config, "publicUrl">;
  /** Whether people sign in here. */
  readonly hasAccess: boolean;
}

/** Description of a link, with the names that it shows. */
export interface LinkDescription {
  readonly title: string;
  readonly summary: Summary;
  readonly captureId: string;
  /** The view it restores, as a query string. */
  readonly view: string;
}

/** Lets anyone who has a link open its capture, by the link's own id, as long as the link lasts. */
export class LinkDoor implements AnswerDoor {
  readonly path = "/links/:id";
  /** Opening a link needs no account, unless its creator requires a sign-in, which `open` checks. */
  readonly needs = "anyone";
  readonly #parts: LinkParts;
  readonly #tries: PassphraseTries;

  constructor(parts: LinkParts) {
    this.#parts = parts;
    this.#tries = new PassphraseTries(parts.passing);
  }

  /** @throws ProblemError `link-not-found` */
  async find(id: string): Promise<LinkRecord> {
    return expectLink(await this.#parts.catalogue.link(id));
  }

  /** Data for the page of a link; for a locked link only its end. @throws ProblemError when it has ended */
  async view(request: Request<{ id: string }>, response: Response): Promise<OpenedLink> {
    const record = await this.#lasting(request.params.id, personOf(response));
    const { id, expires, replacesNames = false, title, path, view } = record;
    const common = { id, expires, replacesNames };
    if (!this.#isUnlocked(request, record)) {
      this.#tellApart(request, response, record);
      return { ...common, isLocked: true, title: "", path: "/", view: "" };
    }
    if (!replacesNames) return { ...common, isLocked: false, title, path, view };
    const { hide } = await this.#names(record.captureId);
    return {
      ...common,
      isLocked: false,
      title: hide(title),
      path,
      view: queryWith(withoutLanes(view), hide),
    };
  }

  /** @throws ProblemError `wrong-passphrase`, `too-many-tries`, or when the link has ended */
  async unlock(request: Request<{ id: string }>, response: Response): Promise<void> {
    const record = await this.#lasting(request.params.id, personOf(response));
    const { passphrase: kept } = record;
    if (kept === undefined) return;
    const browser = this.#browserOf(request, record, kept);
    // Counted before the hash is there: tries that are sent at once are counted each.
    const begun = await this.#tries.begin(record.id, browser, request.ip ?? "");
    const given = LinkPassphrase.safeParse(request.body);
    if (!given.success || !(await isPassphrase(given.data.passphrase, kept))) {
      const tries = plural(begun.left, "# try", "# tries");
      throw problem("wrong-passphrase", `${tries} left this hour. Capitals do not matter.`);
    }
    await begun.forgive();
    const now = this.#parts.clock.now();
    const setCookie = (name: string, proves: string, ends: number): void => {
      const options = { ...cookieOptions(request, this.#parts.config), expires: new Date(ends) };
      response.cookie(name, unlockProof(proves, kept, ends), options);
    };
    setCookie(unlockedCookie(record), record.id, now + UNLOCKED_MS);
    setCookie(browserCookie(record), knownBrowser(record), now + KNOWN_MS);
  }

  /** Sets a cookie in a browser, so that its tries are counted separately from those of others at its address. */
  #tellApart(request: Request, response: Response, record: LinkRecord): void {
    if (cookieOf(request, browserCookie(record)) !== null) return;
    response.cookie(browserCookie(record), newId(), cookieOptions(request, this.#parts.config));
  }

  #browserOf(request: Request, record: LinkRecord, kept: KeptPassphrase): TryingBrowser {
    const cookie = cookieOf(request, browserCookie(record));
    const isKnown = isUnlocked(cookie, knownBrowser(record), kept, this.#parts.clock.now());
    return { id: cookie === null ? null : hashOf(cookie), isKnown };
  }

  /** @throws ProblemError when the link has ended or is locked */
  async open(request: Request<{ id: string }>, response: Response): Promise<OpenedCapture> {
    const record = await this.#lasting(request.params.id, personOf(response));
    if (!this.#isUnlocked(request, record)) {
      throw problem("passphrase-needed", "This link asks for a passphrase.");
    }
    const { id, captureId, replacesNames = false } = record;
    const names = replacesNames ? await this.#names(captureId) : null;
    return {
      captureId,
      shownId: id,
      onSummary: () => {
        const counted = this.#count(id, (opens) => ({
          ...opens,
          count: opens.count + 1,
          last: this.#now(),
        }));
        // The client has the answer already.
        counted.catch((error: unknown) => {
          logOf(response).error({ err: error }, "the opening of a link was not counted");
        });
      },
      asks: asLinkAsks,
      ...(names === null
        ? {
            shown: (_, value) => withoutSensitiveFields(value),
            shownAsks: ["sequence", "rawEvents", "whoWaited"],
          }
        : {
            shown: (schema, value) =>
              mapTexts(schema, withoutEvidence(schema, withoutSensitiveFields(value)), names.hide),
            asked: names.find,
          }),
    };
  }

  /**
   * The capture whose notes a link shows, and how their texts are shown.
   * @throws ProblemError when the link has ended or is locked
   */
  async openForNotes(
    request: Request<{ id: string }>,
    response: Response,
  ): Promise<{ readonly captureId: string; readonly hide: (text: string) => string }> {
    const { captureId } = await this.open(request, response);
    const { replacesNames = false } = await this.find(request.params.id);
    if (!replacesNames) return { captureId, hide: (text) => text };
    return { captureId, hide: (await this.#names(captureId)).hide };
  }

  /** The link, while it opens for that person; a try after its end is counted. */
  async #lasting(id: string, person: Person | null): Promise<LinkRecord> {
    const record = await this.find(id);
    try {
      expectNotTakenBack(record);
      if (record.expires !== null && record.expires <= this.#now()) {
        throw problem("link-expired", "The link has expired. Ask the sender for a new one.");
      }
    } catch (error) {
      await this.#count(id, (opens) => ({ ...opens, after: opens.after + 1 }));
      throw error;
    }
    if (this.#parts.hasAccess && record.audience === "signed-in") {
      if (person === null) throw problem("sign-in-needed", "Sign in to AG Lens first.");
      if (!hasRole(person, "viewer")) throw problem("no-role", `${person.name} has no role here.`);
    }
    return record;
  }

  #isUnlocked(request: Request, record: LinkRecord): boolean {
    const { id, passphrase } = record;
    const proof = cookieOf(request, unlockedCookie(record));
    return passphrase === undefined || isUnlocked(proof, id, passphrase, this.#parts.clock.now());
  }

  async #count(id: string, change: (opens: Link["opens"]) => Link["opens"]): Promise<void> {
    await this.#parts.catalogue.changeLink(id, (present) => ({
      ...present,
      opens: change(present.opens ?? NEVER_OPENED),
    }));
  }

  /**
   * Description of a link for the place where it is pasted, before a person has opened it: null for a link that asks
   * for a passphrase or a sign-in, or has ended.
   */
  async inWords(id: string): Promise<LinkDescription | null> {
    const { hasAccess, catalogue, answers } = this.#parts;
    const record = await catalogue.link(id);
    if (record === null || record.passphrase !== undefined) return null;
    const hasEnded =
      (record.takenBack ?? null) !== null || (record.expires !== null && record.expires <= this.#now());
    if (hasEnded || (hasAccess && record.audience === "signed-in")) return null;
    const known = await answers.summary(record.captureId).catch(() => null);
    if (known === null) return null;
    const { captureId, view, title, replacesNames = false } = record;
    if (!replacesNames) return { title, summary: known, captureId, view };
    const { hide } = replacedNames(known, known.name);
    return { title: hide(title), summary: mapTexts(Summary, known, hide) as Summary, captureId, view };
  }

  async #names(captureId: string): Promise<ReturnType<typeof replacedNames>> {
    const summary = await this.#parts.answers.summary(captureId);
    return replacedNames(summary, summary.name);
  }

  #now(): string {
    return new Date(this.#parts.clock.now()).toISOString();
  }
}

/** Evidence files name servers, paths and groups that the capture does not know, so that they can't be replaced. */
function withoutEvidence(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema === EvidenceSamples) return { series: [] } satisfies EvidenceSamples;
  return schema === EvidenceAnswer ? NO_EVIDENCE : value;
}

const NO_EVIDENCE: EvidenceAnswer = {
  range: null,
  events: [],
  eventsLeftOut: 0,
  failovers: [],
  agreement: [],
  metrics: [],
  withoutClock: [],
  notShown: "This link replaces names, so it doesn't show the capture's evidence files.",
};

export const NEVER_OPENED: Link["opens"] = { count: 0, last: null, after: 0 };

/** Each link has its own cookies; the beginning of its id opens nothing. */
const unlockedCookie = ({ id }: LinkRecord): string => `aglens-link-${id.slice(0, 8)}`;
const browserCookie = ({ id }: LinkRecord): string => `aglens-browser-${id.slice(0, 8)}`;
/** A proof of it opens nothing. */
const knownBrowser = ({ id }: LinkRecord): string => `browser of ${id}`;

/** @throws ProblemError `link-not-found` */
export function expectLink(record: LinkRecord | null): LinkRecord {
  if (record) return record;
  throw problem("link-not-found", "Can't find this link. It may have been deleted with its capture.");
}

export function expectNotTakenBack({ takenBack = null }: LinkRecord): void {
  if (takenBack !== null) {
    throw problem("link-taken-back", "This link was revoked. Ask the sender for a new one.");
  }
}

/**
 * The view without its lanes of evidence and their selected event: keys of lanes name servers, volumes and files, and
 * the link shows none of these lanes.
 */
function withoutLanes(query: string): string {
  const kept = [...new URLSearchParams(query)].filter(
    ([key, value]) => key !== "evidence" && !(key === "event" && /^[a-z]/iu.test(value)),
  );
  return new URLSearchParams(kept).toString();
}

/** A query string with its values mapped. */
function queryWith(query: string, map: (text: string) => string): string {
  const entries = [...new URLSearchParams(query)].map(([key, value]) => [key, map(value)]);
  return new URLSearchParams(entries).toString();
}
