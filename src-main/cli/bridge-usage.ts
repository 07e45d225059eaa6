/** How the bridge is asked for. */
export const BRIDGE_USAGE = 'patchbay bridge --agent ID [--profile FOLDER] [--start]'
