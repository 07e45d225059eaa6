/** Finds the cards of the catalog that show a server, in the page. */
export const SHOWN_CARD = '.cards .card:not(.is-waiting)'
