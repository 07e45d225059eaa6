import type { JSX } from 'react'
import { useState } from 'react'

import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import { ask } from '../../../host-parts/ask'
import { toolsWords } from '../../../tool-parts/tool-words'
import { Button } from '../../../ui/controls/button'
import { showToast } from '../../../ui/overlays/toast'
import { visibleText } from '../../../ui/text/visible-text'

/** Names that the line holds before it counts the rest. */
const NAMED = 4

/** The tools that pass without a question for good, and the way to be asked about them again. */
export function AllowedLine({
  agent: { agentId, name, allowed },
}: {
  readonly agent: AgentView
}): JSX.Element | null {
  const [isBusy, setIsBusy] = useState(false)
  if (allowed.length === 0) return null
  const names = allowed.slice(0, NAMED).map(({ tool }) => visibleText(tool))
  const rest = allowed.length - names.length
  const forget = async (): Promise<void> => {
    setIsBusy(true)
    const done = await ask('agent.forgetAllowed', { agentId })
    setIsBusy(false)
    if (done) showToast({ message: `Calls of ${name} are asked about again.` })
  }
  return (
    <p className="row wrap gap-3 rows-1 soft small break">
      <span>
        {`${toolsWords(allowed.length)} ${allowed.length === 1 ? 'passes' : 'pass'} without a question: `}
        {names.join(', ')}
        {rest > 0 && ` and ${String(rest)} more`}.
      </span>
      <Button size="small" busy={isBusy} onClick={() => void forget()}>
        Ask again
      </Button>
    </p>
  )
}
