import type { JSX } from 'react'
import { useMemo, useState } from 'react'

import type { MessageEntry } from '../../../../src-shared/domain/agents/message-log'
import { JsonView } from '../../../components/json/json-view'
import { loggedMessageText } from '../../../components/json/text/text-source'
import { Button } from '../../../ui/controls/button'
import { formatBytes } from '../../../ui/text/format'

/** What is larger is read only when somebody asks for it, in bytes. */
const LARGE_BYTES = 64 * 1024

/** The text of a message as a tree; a large one when it is asked for. */
export function MessageText({
  installationId,
  entry,
  label,
}: {
  readonly installationId: string
  readonly entry: MessageEntry
  readonly label: string
}): JSX.Element {
  const { seq, bytes, hasText } = entry
  const [isWanted, setIsWanted] = useState(bytes <= LARGE_BYTES)
  const source = useMemo(
    () => loggedMessageText({ installationId, seq }, bytes),
    [installationId, seq, bytes],
  )
  if (!hasText)
    return (
      <p className="faint">The text is no longer stored. The message was too large or too old.</p>
    )
  if (!isWanted)
    return (
      <p className="row gap-2 slim faint">
        <span className="grow">{`${formatBytes(bytes)} of JSON`}</span>
        <Button size="small" onClick={() => setIsWanted(true)}>
          Show
        </Button>
      </p>
    )
  return <JsonView source={source} label={label} isSavable={false} />
}
