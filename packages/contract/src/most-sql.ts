/** Characters of a query. Separate from the shapes, which a page without SQL does not need. */
export const MOST_SQL = 20_000;
