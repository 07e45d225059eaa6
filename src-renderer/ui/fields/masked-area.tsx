import type { ComponentProps, ReactElement } from 'react'

import { GrowingInput } from './growing-input'

type MaskedAreaProps = ComponentProps<typeof GrowingInput> & { readonly masked: boolean }

/** A secret of several lines, such as a private key, which a one-line input would join. */
export function MaskedArea({ masked, ...rest }: MaskedAreaProps): ReactElement {
  return <GrowingInput {...rest} className={masked ? 'mono is-masked' : 'mono'} />
}
