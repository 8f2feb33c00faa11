import { LibraryPage } from "@aglens/contract";
import type { Response } from "express";
import { hasRole, mayChange, maySee } from "../../access/rules.ts";
import type { Library, LibraryReader } from "../../captures/life/library.ts";
import { askerOf, personOf } from "../guard.ts";
import { LibraryQuery } from "./parameters.ts";
import { route } from "../route.ts";
import type { Route } from "../route.ts";

/** The list of captures with facets, search and counts. */
export const libraryRoutes = (library: Library): Route[] => [
  route({
    method: "get",
    path: "/library",
    says: "Captures by view, facets and words, with the counts of each choice",
    needs: "viewer",
    query: LibraryQuery,
    answer: LibraryPage,
    handle: ({ query, response }) => library.page(query, readerOf(response)),
  }),
];

/** On a server without sign-in, all users may do everything. */
export function readerOf(response: Response): LibraryReader {
  const person = personOf(response);
  const asker = askerOf(response);
  if (person === null) return { ...asker, isAdmin: true, maySee: () => true, mayChange: () => true };
  return {
    ...asker,
    isAdmin: hasRole(person, "admin"),
    maySee: (capture) => maySee(person, capture),
    mayChange: (capture) => mayChange(person, capture),
  };
}
