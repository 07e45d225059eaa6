import type { JSX } from 'react'

import { ArgumentList } from '../../components/tool/argument-list'
import { reviewPlace } from '../../components/tool/review-place'
import { WarningList } from '../../components/tool/review-texts'
import { schemaArguments } from '../../components/tool/schema-arguments'
import {
  EXPOSURE_LABEL,
  exposureMessage,
  tokensWords,
  usesWords,
} from '../../components/tool/tool-messages'
import { NATURE_WORD, naturesOf } from '../../components/tool/tool-nature'
import { isSwitchable } from '../../components/tool/tool-switch'
import { ToolSwitch } from '../../components/tool/tool-switch'
import { toolRunPlace } from '../../components/tool-run/tool-run-place'
import { ButtonLink } from '../../ui/controls/button'
import { Tag } from '../../ui/marks/tag'
import { PlainText } from '../../ui/text/plain-text'
import { visibleText } from '../../ui/text/visible-text'
import type { OfferedGroup, OfferedTool } from './offered-tools'

function Exposure({ offered: { view, exposure } }: { readonly offered: OfferedTool }): JSX.Element {
  const { installationId, name, reason } = view
  const isJudged = exposure === 'held' || exposure === 'refused'
  return (
    <p className="row wrap gap-2 rows-1 soft small break">
      <Tag tone={exposure === 'refused' ? 'plain' : 'warn'}>{EXPOSURE_LABEL[exposure]}</Tag>
      <span>{exposureMessage({ ...view, exposure, reason })}</span>
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

function Name({ offered: { view, exposure }, under }: OfferedRowProps): JSX.Element {
  const { installationId, name, title, annotations, tokens, uses } = view
  const natures = naturesOf(annotations).filter((nature) => nature !== 'other' && nature !== under)
  return (
    <div className="row at-base spread gap-3">
      <h3 className="flex wrap at-base gap-2 rows-0 medium break">
        <code className={exposure === 'exposed' ? 'same-size slim' : 'same-size slim faint'}>
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
          href={toolRunPlace(installationId, 'tool', name)}
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
  const { view, tool, isOn, exposure } = offered
  const description = tool?.description ?? view.description
  return (
    <div className="offered stack at-top gap-3 rows-0 ruled">
      {isSwitchable(exposure) ? (
        <ToolSwitch name={view.name} isOn={isOn} onChange={onToggle} />
      ) : (
        <span />
      )}
      <div className="stack gap-1 slim">
        <Name offered={offered} under={under} />
        {!isSwitchable(exposure) && <Exposure offered={offered} />}
        <WarningList securityWarnings={view.securityWarnings} />
        {description !== undefined && (
          <PlainText className={exposure === 'exposed' ? undefined : 'faint'} text={description} />
        )}
        {tool !== undefined && <ArgumentList args={schemaArguments(tool.inputSchema)} />}
      </div>
    </div>
  )
}
