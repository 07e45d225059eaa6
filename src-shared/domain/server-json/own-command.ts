/**
 * The kind of a package that is no package: its identifier is the command itself. Patchbay writes such
 * ones for servers that a user adds manually and for the command of a bundle; no registry document may.
 */
export const OWN_COMMAND = 'command'

/** What a server that a user adds manually is called as an entry; no registry has one of this name. */
export const HAND_ENTRY = 'made-by-hand'
