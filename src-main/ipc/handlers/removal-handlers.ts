import type { Removal } from '../../core/removal/removal'
import type { Handlers } from '../answer'

export type RemovalParts = { readonly removal: Pick<Removal, 'read' | 'remove' | 'end'> }

/** Answers what concerns taking Patchbay off this computer. */
export function removalHandlers({
  removal,
}: RemovalParts): Pick<Handlers, Extract<keyof Handlers, `removal.${string}`>> {
  return {
    'removal.read': () => removal.read(),
    'removal.remove': () => removal.remove(),
    'removal.end': () => removal.end(),
  }
}
