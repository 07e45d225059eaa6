import type { ReactElement } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../../src-shared/domain/state/settings'
import { AGENT_LIMITS } from '../../../tool-parts/agent-limits'
import { Button } from '../../../ui/controls/button'
import { ProblemText } from '../../../ui/fields/problem-text'
import { WholeField } from '../setting/number-setting'
import { saveSettings } from '../setting/save-settings'
import { Section } from '../setting/setting-section'

const CAP = {
  key: 'toolCap',
  id: 'tool-cap',
  label: 'Tool limit for new apps',
  hint: 'Change the limit of one app on its page.',
} as const

function LimitRow({
  cap,
  onChoose,
}: {
  readonly cap: number
  readonly onChoose: (limit: number) => void
}): ReactElement {
  return (
    <div>
      <p className="soft small pretty break" id="cap-limits-label">
        Known limits of apps
      </p>
      <ul className="flex wrap gap-2 above-1" aria-labelledby="cap-limits-label">
        {AGENT_LIMITS.map(({ limit, agent }) => (
          <li key={limit}>
            <Button size="small" disabled={cap === limit} onClick={() => onChoose(limit)}>
              {agent}: {limit}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** How many tools agents are shown at most (C3). */
export function ToolsSection({ settings }: { readonly settings: Settings }): ReactElement {
  const [problem, setProblem] = useState<string | undefined>(undefined)
  return (
    <Section title="Tools">
      <WholeField of={CAP} settings={settings} />
      <LimitRow
        cap={settings.toolCap}
        onChoose={(toolCap) => void saveSettings({ toolCap }).then(setProblem)}
      />
      {problem === undefined ? null : <ProblemText>{problem}</ProblemText>}
    </Section>
  )
}
