import { showToast } from '../ui/overlays/toast'
import { toErrorShape } from './call'

/** Says why something that has no place of its own for it did not work, and what to do. */
export function tellFailure(thrown: unknown): void {
  const { message, hint } = toErrorShape(thrown)
  showToast({ message: [message, hint].filter(Boolean).join(' '), tone: 'error' })
}
