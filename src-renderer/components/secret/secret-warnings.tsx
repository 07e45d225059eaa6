import type { ReactElement } from 'react'

import { secretWarnings } from '../../../src-shared/form/secret-warnings'
import { WarnText } from '../../ui/fields/warn-text'

/** What is odd about a secret that is being typed; nothing where nothing is. */
export function SecretWarnings({ text }: { readonly text: string }): ReactElement {
  const securityWarnings = secretWarnings(text)
  return (
    <WarnText>{securityWarnings.length === 0 ? undefined : securityWarnings.join(' ')}</WarnText>
  )
}
