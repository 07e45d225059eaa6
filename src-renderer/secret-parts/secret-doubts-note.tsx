import type { ReactElement } from 'react'

import { secretDoubts } from '../../src-shared/form/secret-doubts'
import { WarnText } from '../ui/fields/warn-text'

/** What is odd about a secret that is being typed; nothing where nothing is. */
export function SecretDoubtsNote({ text }: { readonly text: string }): ReactElement {
  const doubts = secretDoubts(text)
  return <WarnText>{doubts.length === 0 ? undefined : doubts.join(' ')}</WarnText>
}
