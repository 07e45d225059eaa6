import { Check, Copy } from 'lucide-react'
import type { ReactElement } from 'react'
import { useEffect, useState } from 'react'

import { call } from '../../ipc/call'
import { IconButton } from '../../ui/controls/icon-button'

const SAID_MS = 2_000
const LABELS = {
  ready: 'Copy arguments',
  copied: 'Arguments copied',
  failed: 'Can’t copy the arguments',
} as const

/** Copies the arguments of a call as JSON. A toast would wait until the dialog is closed. */
export function CopyArguments({
  questionId,
  isResting,
}: {
  readonly questionId: string
  readonly isResting: boolean
}): ReactElement {
  const [said, setSaid] = useState<keyof typeof LABELS>('ready')
  useEffect(() => {
    if (said === 'ready') return undefined
    const timer = setTimeout(() => setSaid('ready'), SAID_MS)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    const { text } = await call('question.argument', { questionId })
    await navigator.clipboard.writeText(text)
  }
  return (
    <IconButton
      small
      icon={said === 'copied' ? Check : Copy}
      label={LABELS[said]}
      disabled={isResting}
      onClick={() =>
        void copy().then(
          () => setSaid('copied'),
          () => setSaid('failed'),
        )
      }
    />
  )
}
