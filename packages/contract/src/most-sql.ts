/** Characters of a query. Apart from the shapes, which a page without SQL need not have. */
export const MOST_SQL = 20_000;
