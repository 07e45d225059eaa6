import { type JSX, memo, useMemo, useState } from 'react'

import type { ToolView } from '../../../src-shared/domain/agents/tools'
import type { ToolChoice } from '../../../src-shared/domain/tool-choice'
import { chooser, withTools } from '../../components/tool/tool-choices'
import { EXPOSURE_LABEL, tokensText } from '../../components/tool/tool-messages'
import { Button } from '../../ui/controls/button'
import { Checkbox, Segmented } from '../../ui/controls/choice'
import { SearchField } from '../../ui/controls/search-field'
import { Tag } from '../../ui/marks/tag'
import { Dialog } from '../../ui/overlays/dialog'
import { visibleText } from '../../ui/text/untrusted-text'
import { wordsSearch } from '../../ui/text/words-search'
import { chosenText } from './messages'

const KINDS = [
  { value: 'all', label: 'All' },
  { value: 'list', label: 'Choose' },
  { value: 'none', label: 'None' },
] as const
const KIND_HINT: Readonly<Record<ToolChoice['kind'], string>> = {
  all: 'New tools are included once you approve them.',
  list: 'New tools are not included until you select them.',
  none: 'The app can’t see this server.',
}

const ToolLine = memo(function ToolLine(props: {
  readonly tool: ToolView
  readonly isOn: boolean
  readonly onToggle: (name: string, isOn: boolean) => void
}): JSX.Element {
  const {
    tool: { name, exposure, description, tokens },
    isOn,
    onToggle,
  } = props
  const isAway = exposure !== 'exposed'
  return (
    <li>
      <Checkbox
        className="flex items-center gap-3 px-3 py-2"
        checked={isOn}
        onCheckedChange={(isTicked) => onToggle(name, isTicked)}
      >
        <span className="grid min-w-0">
          <span className="flex min-w-0 items-center gap-2">
            <code className="truncate">{visibleText(name)}</code>
            {isAway && <Tag tone="warn">{EXPOSURE_LABEL[exposure]}</Tag>}
          </span>
          {description !== undefined && (
            <span className="truncate text-small text-muted" dir="auto">
              {visibleText(description)}
            </span>
          )}
        </span>
        <span className="min-w-0 flex-1" />
        {tokens !== undefined && (
          <span className="hide-small text-right text-small whitespace-nowrap text-faint tabular-nums">
            {tokensText(tokens)}
          </span>
        )}
      </Checkbox>
    </li>
  )
})

function matching(tools: readonly ToolView[], query: string): readonly ToolView[] {
  const matches = wordsSearch(query)
  return tools.filter(({ name, title, description }) => matches(name, title, description))
}

/** A dialog to choose which tools of one server an app gets; its button saves. */
export function ToolChoiceDialog(props: {
  readonly serverName: string
  /** Each name once. */
  readonly tools: readonly ToolView[]
  readonly choice: ToolChoice
  readonly onSave: (choice: ToolChoice) => void
  readonly onClose: () => void
}): JSX.Element {
  const { serverName, tools, choice: before, onSave, onClose } = props
  const [choice, setChoice] = useState(before)
  // Keeps the chosen tools while the user looks at "All".
  const [lastList, setLastList] = useState<ToolChoice | null>(null)
  const [query, setQuery] = useState('')
  const matchingTools = useMemo(() => matching(tools, query), [tools, query])
  const isChosen = chooser(choice)
  const names = tools.map(({ name }) => name)
  const toggle = (name: string, isOn: boolean): void =>
    setChoice(withTools(choice, names, [name], isOn))
  const choose = (kind: ToolChoice['kind']): void => {
    if (choice.kind === 'list') setLastList(choice)
    setChoice(kind === 'list' ? (lastList ?? { kind: 'list', names }) : { kind })
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title={`Tools of ${serverName}`}
      description={`${chosenText(choice, names)}. ${KIND_HINT[choice.kind]}`}
      leave="Cancel"
      actions={
        <Button
          size="form"
          variant="primary"
          onClick={() => {
            onSave(choice)
            onClose()
          }}
        >
          Save tools
        </Button>
      }
    >
      <div className="mt-3 mb-3">
        <Segmented
          label={`Tools of ${serverName}`}
          value={choice.kind}
          options={KINDS}
          onValueChange={choose}
        />
      </div>
      {tools.length === 0 ? (
        <p className="text-small text-pretty text-muted">
          Tools appear here after the server first starts.
        </p>
      ) : (
        <>
          <SearchField
            label="Search tools"
            placeholder="Name or description"
            value={query}
            onChange={setQuery}
            meta={
              query === ''
                ? undefined
                : `${String(matchingTools.length)} of ${String(tools.length)}`
            }
          />
          <ul
            className="suggestions bounded scroll mt-2 divide-y divide-line rounded-lg border border-line"
            aria-label="Tools"
          >
            {matchingTools.map((tool) => (
              <ToolLine key={tool.name} tool={tool} isOn={isChosen(tool.name)} onToggle={toggle} />
            ))}
            {matchingTools.length === 0 && (
              <li className="p-3 text-faint">No matching tools. Try a different search.</li>
            )}
          </ul>
        </>
      )}
    </Dialog>
  )
}
