import type { AppErrorShape } from '../../../src-shared/domain/app-error'

/** What went wrong and what to do about it, as one text. */
export function problemWords(
  props: Pick<AppErrorShape, 'message'> & { readonly hint?: string | undefined },
): string {
  const { message, hint } = props
  return [message, hint].filter(Boolean).join(' ')
}
