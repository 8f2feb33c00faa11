import type { Request, Response } from "express";
import { Link, LinkList, LinkPassphrase, LinkRenewal, NewLink, OpenedLink } from "@aglens/contract";
import { keptPassphrase } from "../../access/passphrase.ts";
import type { Captures } from "../../captures/captures.ts";
import type { Clock } from "../../kernel/clock.ts";
import { hashOf, matchesHash, newId } from "../../kernel/identity.ts";
import { problem } from "@aglens/engine/problems";
import type { LinkRecord } from "../../store/catalog.ts";
import { expectMayChange, noteInAudit, personOf } from "../guard.ts";
import { expectLink, expectNotTakenBack, NEVER_OPENED } from "./link-door.ts";
import type { LinkDoor, LinkParts } from "./link-door.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

const DAY_MS = 24 * 3_600_000;

/** End of a link that is created or renewed now; null for a link without an end. */
const endOf = (days: number | null, clock: Clock): string | null =>
  days === null ? null : new Date(clock.now() + days * DAY_MS).toISOString();

/** Routes to create and manage links, and for the passphrase; `LinkDoor` has routes of its own for the shown data. */
export function linkRoutes(links: LinkDoor, parts: LinkParts): Route[] {
  const { captures, catalogue, clock, hasAccess } = parts;
  return [
    route({
      method: "post",
      path: "/links",
      says: "Share a view of a capture",
      needs: "contributor",
      body: NewLink,
      status: 201,
      answer: Link,
      handle: async ({ body: { expiresInDays, passphrase, ...wanted }, response }) => {
        expectMayChange(personOf(response), await captures.records.get(wanted.captureId));
        const deleteToken = newId();
        const record: LinkRecord = {
          ...wanted,
          audience: wanted.audience ?? (hasAccess ? "signed-in" : "anyone"),
          ...(passphrase === undefined ? {} : { passphrase: await keptPassphrase(passphrase) }),
          id: newId(),
          created: new Date(clock.now()).toISOString(),
          expires: endOf(expiresInDays, clock),
          tokenHash: hashOf(deleteToken),
        };
        await captures.keepUntil(record.captureId, record.expires);
        // It may have been deleted since.
        if (!(await catalogue.addLink(record))) await captures.records.get(record.captureId);
        await noteInAudit(response, "made a link", record.title);
        response.location(`/api/v1/links/${record.id}`);
        return { ...makersLink(record), ...(hasAccess ? {} : { deleteToken }) };
      },
    }),
    route({
      method: "get",
      path: "/captures/:id/links",
      says: "Links of a capture, newest first",
      needs: "change",
      answer: LinkList,
      handle: async ({ params: { id } }) => {
        await captures.records.get(id);
        return { links: (await catalogue.linksOf(id)).map(makersLink) };
      },
    }),
    ...openedRoutes(links, parts),
  ];
}

/** Routes by a link's own id: opening needs no account, and the routes that end or renew a link check its creator. */
const openedRoutes = (links: LinkDoor, { captures, catalogue, clock }: LinkParts): Route[] => [
  route({
    method: "get",
    path: "/links/:id",
    says: "Contents of a link; only the expiration if the link is locked",
    needs: "anyone",
    answer: OpenedLink,
    handle: ({ request, response }) => links.view(request, response),
  }),
  route({
    method: "post",
    path: "/links/:id/passphrase",
    says: "Send the passphrase of a link; the answer sets a cookie that opens it",
    needs: "anyone",
    ownBody: LinkPassphrase,
    answer: null,
    handle: ({ request, response }) => links.unlock(request, response),
  }),
  route({
    method: "patch",
    path: "/links/:id",
    says: "Renew a link, also an expired one; requires its delete token on a server without sign-in",
    needs: "contributor",
    key: "deleteToken",
    ownBody: LinkRenewal,
    answer: Link,
    handle: async ({ params: { id }, request, response }) => {
      const record = await links.find(id);
      await expectMaker(captures, request, response, record);
      expectNotTakenBack(record);
      const { expiresInDays } = LinkRenewal.parse(request.body);
      const expires = endOf(expiresInDays, clock);
      await captures.keepUntil(record.captureId, expires);
      const renewed = await catalogue.changeLink(record.id, (present) => {
        expectNotTakenBack(present);
        return { ...present, expires };
      });
      await noteInAudit(response, "renewed a link", record.title);
      return makersLink(renewed ?? expectLink(null));
    },
  }),
  // A revoked link stays for its creator's list, and for the page that shows that it was revoked.
  route({
    method: "delete",
    path: "/links/:id",
    says: "Revoke a link; requires its delete token on a server without sign-in",
    needs: "contributor",
    key: "deleteToken",
    answer: null,
    handle: async ({ params: { id }, request, response }) => {
      const record = await links.find(id);
      await expectMaker(captures, request, response, record);
      const takenBack = new Date(clock.now()).toISOString();
      await catalogue.changeLink(record.id, (present) => ({ ...present, takenBack }));
      await noteInAudit(response, "revoked a link", record.title);
    },
  }),
];

/** Where people sign in, expects a person who may change the capture; elsewhere, the token of the link's creator. */
async function expectMaker(
  captures: Captures,
  request: Request,
  response: Response,
  record: LinkRecord,
): Promise<void> {
  const person = personOf(response);
  if (person !== null) {
    expectMayChange(person, await captures.records.get(record.captureId));
    return;
  }
  const token = /^Bearer ([A-Za-z0-9_-]{1,100})$/u.exec(request.get("authorization") ?? "")?.[1];
  if (token !== undefined && matchesHash(token, record.tokenHash)) return;
  throw problem("unauthorised", "Only the owner can revoke this link. Send its delete token.");
}

/** The link with the facts that its creator may see. */
function makersLink(record: LinkRecord): Link {
  const { id, captureId, path, view, title, created, expires } = record;
  return {
    id,
    captureId,
    path,
    view,
    title,
    created,
    expires,
    audience: record.audience ?? "anyone",
    hasPassphrase: record.passphrase !== undefined,
    replacesNames: record.replacesNames ?? false,
    takenBack: record.takenBack ?? null,
    opens: record.opens ?? NEVER_OPENED,
  };
}
