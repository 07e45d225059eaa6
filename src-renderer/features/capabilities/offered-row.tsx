import type { JSX } from 'react'

import { ArgumentList } from '../../tool-parts/argument-list'
import { DoubtList } from '../../tool-parts/review-parts'
import { reviewPlace } from '../../tool-parts/review-place'
import { schemaArguments } from '../../tool-parts/schema-arguments'
import {
  STANDING_WORD,
  standingSentence,
  tokensWords,
  usesWords,
} from '../../tool-parts/tool-messages'
import { NATURE_WORD, naturesOf } from '../../tool-parts/tool-nature'
import { isSwitchable } from '../../tool-parts/tool-row'
import { ToolSwitch } from '../../tool-parts/tool-switch'
import { trialPlace } from '../../trial-parts/trial-place'
import { ButtonLink } from '../../ui/controls/button'
import { Tag } from '../../ui/marks/tag'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/visible-text'
import type { OfferedGroup, OfferedTool } from './offered-tools'

function Standing({ offered: { view, standing } }: { readonly offered: OfferedTool }): JSX.Element {
  const { installationId, name, reason } = view
  const isJudged = standing === 'held' || standing === 'refused'
  return (
    <p className="row wrap gap-2 rows-1 soft small break">
      <Tag tone={standing === 'refused' ? 'plain' : 'warn'}>{STANDING_WORD[standing]}</Tag>
      <span>{standingSentence({ ...view, standing, reason })}</span>
      {isJudged && (
        <ButtonLink
          size="small"
          href={reviewPlace(installationId, name)}
          aria-label={`Review ${visibleText(name)}`}
        >
          Review
        </ButtonLink>
      )}
    </p>
  )
}

type OfferedRowProps = {
  readonly offered: OfferedTool
  /** The group whose head it stands under, which is not said once more. */
  readonly under: OfferedGroup['kind'] | undefined
}

function Name({ offered: { view, standing }, under }: OfferedRowProps): JSX.Element {
  const { installationId, name, title, annotations, tokens, uses } = view
  const natures = naturesOf(annotations).filter((nature) => nature !== 'other' && nature !== under)
  return (
    <div className="row at-base spread gap-3">
      <h3 className="flex wrap at-base gap-2 rows-0 medium break">
        <code className={standing === 'exposed' ? 'same-size slim' : 'same-size slim faint'}>
          {visibleText(name)}
        </code>
        {title !== undefined && title !== name && (
          <span className="soft regular">{visibleText(title)}</span>
        )}
        {natures.map((nature) => (
          <Tag key={nature}>{NATURE_WORD[nature]}</Tag>
        ))}
      </h3>
      <span className="flex gap-3 fixed faint small num">
        {uses > 0 && <span>{usesWords(uses)}</span>}
        {tokens !== undefined && <span>{tokensWords(tokens)}</span>}
        <ButtonLink
          size="small"
          href={trialPlace(installationId, 'tool', name)}
          aria-label={`Try it: ${visibleText(name)}`}
        >
          Try it
        </ButtonLink>
      </span>
    </div>
  )
}

/** A tool of the server with its switch, or with what keeps it from agents. */
export function OfferedRow({
  offered,
  under,
  onToggle,
}: OfferedRowProps & { readonly onToggle: (isOn: boolean) => void }): JSX.Element {
  const { view, tool, isOn, standing } = offered
  const description = tool?.description ?? view.description
  return (
    <div className="offered stack at-top gap-3 rows-0 ruled">
      {isSwitchable(standing) ? (
        <ToolSwitch name={view.name} isOn={isOn} onChange={onToggle} />
      ) : (
        <span />
      )}
      <div className="stack gap-1 slim">
        <Name offered={offered} under={under} />
        {!isSwitchable(standing) && <Standing offered={offered} />}
        <DoubtList doubts={view.doubts} />
        {description !== undefined && (
          <PlainText className={standing === 'exposed' ? undefined : 'faint'} text={description} />
        )}
        {tool !== undefined && <ArgumentList args={schemaArguments(tool.inputSchema)} />}
      </div>
    </div>
  )
}
