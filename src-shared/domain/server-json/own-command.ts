/**
 * Package type that has the command itself as identifier. Patchbay writes such packages for servers that a user adds manually and for the
 * command of a bundle; no registry document may use it.
 */
export const OWN_COMMAND = 'command'

/** Entry name of a server that a user adds manually; no registry has one of this name. */
export const CUSTOM_ENTRY = 'made-by-hand'
