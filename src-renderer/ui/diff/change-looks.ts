/** The classes of what stays, of what comes and of what goes. */
export const CHANGE_LOOKS = {
  same: 'soft',
  added: 'tone tint is-ready',
  removed: 'tone tint is-error',
} as const
