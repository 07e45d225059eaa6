import clsx from 'clsx'
import { Copy, Play, TriangleAlert } from 'lucide-react'
import { type JSX, type KeyboardEvent, memo } from 'react'
import { useLocation } from 'wouter'

import type { ToolDetail } from '../../../../src-shared/domain/agents/tools'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import { useRequest } from '../../../ipc/use-request'
import { useNow } from '../../../stores/app-store'
import { ButtonLink, IconButton } from '../../../ui/controls/button'
import { Facts, SheetSection } from '../../../ui/layout/section'
import { Tag } from '../../../ui/marks/tag'
import { Dialog } from '../../../ui/overlays/dialog'
import { copyText } from '../../../ui/saving/copy-text'
import { formatMoment } from '../../../ui/text/format'
import { PlainText } from '../../../ui/text/plain-text'
import { visibleText } from '../../../ui/text/untrusted-text'
import { LongText } from '../../json/long-text'
import { Loading } from '../../status/loading'
import { ArgumentList, type ShownArgument } from '../argument-list'
import { WarningList } from '../review-texts'
import { ToolHistory } from '../tool-history'
import {
  EXPOSURE_LABEL,
  exposureMessage,
  type Nature,
  NATURE_LABEL,
  NATURE_MESSAGE,
  tokensText,
  usesText,
  warningsBrief,
} from '../tool-messages'
import { reviewPath, toolRunPath } from '../tool-paths'
import { isSwitchable, ToolSwitch } from '../tool-switch'
import { type ListedTool, switchTools } from './list-groups'

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function asWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const DEEPEST = 3

function typeOfList(items: unknown, depth: number): string {
  return isJsonObject(items) && depth < DEEPEST ? `list of ${typeOf(items, depth + 1)}` : 'list'
}

function typeOfEither(either: unknown, depth: number): string | undefined {
  if (!Array.isArray(either) || depth >= DEEPEST) return undefined
  const types = either.filter(isJsonObject).map((one) => typeOf(one, depth + 1))
  return types.length === 0 ? undefined : [...new Set(types)].join(' or ')
}

/** Returns the type of a schema in one or two words: `string`, `list of number`, `string or null`, `any`. */
function typeOf(schema: JsonObject, depth = 0): string {
  const { type } = schema
  if (Array.isArray(type)) return type.map(asWord).join(' or ')
  if (type === 'array') return typeOfList(schema.items, depth)
  if (typeof type === 'string') return type
  const either = typeOfEither(schema.anyOf ?? schema.oneOf, depth)
  if (either !== undefined) return either
  if ('const' in schema) return asWord(schema.const)
  return 'enum' in schema ? 'choice' : 'any'
}

/**
 * Returns the arguments that an input schema declares, required ones first; empty for an invalid schema. All texts come from the server.
 */
export function schemaArguments(inputSchema: unknown): readonly ShownArgument[] {
  if (!isJsonObject(inputSchema) || !isJsonObject(inputSchema.properties)) return []
  const required: readonly unknown[] = Array.isArray(inputSchema.required)
    ? inputSchema.required
    : []
  const all = Object.entries(inputSchema.properties).map(([name, schema]) => {
    const object = isJsonObject(schema) ? schema : {}
    return {
      name,
      type: typeOf(object),
      required: required.includes(name),
      description: textOf(object.description) ?? textOf(object.title),
      choices: Array.isArray(object.enum) ? object.enum.map(asWord) : [],
    }
  })
  return [...all.filter((one) => one.required), ...all.filter((one) => !one.required)]
}

function usageText({ tool }: ListedTool, now: number): string {
  if (tool.uses === 0) return 'Not called in 30 days'
  const last = tool.lastUsedAt === undefined ? '' : `, last ${formatMoment(tool.lastUsedAt, now)}`
  return `${tool.uses === 1 ? 'Once' : `${tool.uses} times`} in 30 days${last}`
}

function ToolFacts({ listed }: { readonly listed: ListedTool }): JSX.Element {
  const { tool, server, natures } = listed
  const { exposedName, tokens } = tool
  const now = useNow(60_000)
  return (
    <Facts
      facts={{
        Server: server.name,
        'Name for agents': exposedName !== undefined && (
          <span className="flex min-w-0 items-center gap-2">
            <code>{exposedName}</code>
            <IconButton
              small
              icon={Copy}
              label="Copy name for agents"
              onClick={() => copyText(exposedName, 'Name copied.')}
            />
          </span>
        ),
        Size: tokens === undefined ? 'Counting tokens…' : `${tokensText(tokens)} of agent context`,
        Usage: usageText(listed, now),
        Behavior: natures.map((nature) => NATURE_MESSAGE[nature]).join(' '),
      }}
    />
  )
}

function Definition({ detail }: { readonly detail: ToolDetail }): JSX.Element {
  const { tool } = detail
  return (
    <>
      <SheetSection title="Description">
        {tool.description ? (
          <PlainText text={tool.description} />
        ) : (
          <p className="text-faint">The server provides no description.</p>
        )}
      </SheetSection>
      <SheetSection title="Arguments">
        <ArgumentList open args={schemaArguments(tool.inputSchema)} />
      </SheetSection>
      <details className="args">
        <summary className="bare flex min-w-0 items-center gap-2 text-small text-muted">
          Definition (JSON)
        </summary>
        <div className="mt-2">
          <LongText text={JSON.stringify(tool, null, 2)} label="Definition (JSON)" />
        </div>
      </details>
    </>
  )
}

/** A tool in a side sheet: status, definition, warnings, numbers and history. */
export function ToolDetailSheet(props: {
  readonly listed: ListedTool
  readonly all: readonly ListedTool[]
  readonly onClose: () => void
}): JSX.Element {
  const { listed, all, onClose } = props
  const { tool, exposure, isOn } = listed
  const { installationId, name, hash, title, schemaWarnings: warnings = [] } = tool
  const request = useRequest('tools.read', { installationId, name }, { state: [hash] })
  const path = toolRunPath(installationId, 'tool', name)
  const [here] = useLocation()
  const mayReview = exposure === 'needsReview' || exposure === 'rejected'
  return (
    <Dialog
      side
      onClose={onClose}
      title={visibleText(name)}
      {...(title !== undefined && title !== name && { description: visibleText(title) })}
      actions={
        here === path || (
          <ButtonLink size="small" icon={Play} href={path}>
            Try it
          </ButtonLink>
        )
      }
    >
      <div className="scroll grid min-h-0 flex-1 content-start gap-5 px-5 pt-4 pb-6 [--terms:9rem]">
        <div className="flex items-center justify-between gap-4 rounded-lg border border-line p-3">
          <div>
            <p className="font-medium text-foreground">{EXPOSURE_LABEL[exposure]}</p>
            <p className="text-muted">{exposureMessage({ ...tool, exposure })}</p>
          </div>
          {isSwitchable(exposure) && (
            <ToolSwitch
              name={name}
              isOn={isOn}
              onChange={(next) => switchTools(all, [listed], next)}
            />
          )}
          {mayReview && <ButtonLink href={reviewPath(installationId, name)}>Review</ButtonLink>}
        </div>
        <WarningList securityWarnings={tool.securityWarnings} />
        {warnings.length > 0 && (
          <SheetSection title="Model compatibility">
            <ul className="grid gap-1 wrap-anywhere">
              {warnings.map((warning) => (
                <li key={warning}>{visibleText(warning)}</li>
              ))}
            </ul>
            <p className="text-muted">
              For apps that use such a model, turn on Simplified schemas.
            </p>
          </SheetSection>
        )}
        <Loading {...{ request }} label="Loading tool" failure="Can’t load this tool" rows={3}>
          {(detail) => <Definition detail={detail} />}
        </Loading>
        <ToolFacts listed={listed} />
        <SheetSection title="History">
          <ToolHistory {...{ installationId, name }} />
        </SheetSection>
      </div>
    </Dialog>
  )
}

/** Actions on a row. */
export type ToolRowActions = {
  readonly onToggle: (listed: ListedTool, isOn: boolean) => void
  readonly onOpen: (listed: ListedTool) => void
  /** Selects or deselects a tool for bulk actions; with `isRange`, all tools since the last selected one. */
  readonly onSelect: (listed: ListedTool, isRange: boolean) => void
}

type ToolRowProps = {
  readonly listed: ListedTool
  readonly isSelected: boolean
  /** Whether rows of several servers are mixed. */
  readonly isMixed: boolean
  /** The behavior that the group's header already names. */
  readonly under?: Nature | undefined
  /** Index of the row's line in the list, from 0. */
  readonly index: number
  /** Position among the tools, from 1. */
  readonly position: number
  readonly total: number
  /** Whether Tab stops at this row; arrow keys reach the others. */
  readonly isStop: boolean
  /** In px from the top of the group. */
  readonly top: number
  readonly acts: ToolRowActions
}

/** The start of a row: its switch, or a dot for a tool that the user cannot turn on. */
function Lead({ listed, acts: actions }: ToolRowProps): JSX.Element {
  const { tool, exposure, isOn } = listed
  if (isSwitchable(exposure))
    return (
      <ToolSwitch
        inList
        name={tool.name}
        isOn={isOn}
        onChange={(next) => actions.onToggle(listed, next)}
      />
    )
  return <span className={exposure === 'rejected' ? 'dot' : 'dot is-degraded'} aria-hidden />
}

function Exposure({ listed: { tool, exposure } }: ToolRowProps): JSX.Element | null {
  if (isSwitchable(exposure)) return null
  const change = tool.change === 'changed' ? 'Changed' : 'New'
  return (
    <span className="tool-standing flex items-center gap-1">
      <Tag tone={exposure === 'rejected' ? 'plain' : 'warn'}>
        {exposure === 'needsReview' ? change : EXPOSURE_LABEL[exposure]}
      </Tag>
      {exposure !== 'quarantined' && (
        <ButtonLink
          tabIndex={-1}
          size="small"
          href={reviewPath(tool.installationId, tool.name)}
          aria-label={`Review ${visibleText(tool.name)}`}
        >
          Review
        </ButtonLink>
      )}
    </span>
  )
}

/** Returns the text after a tool's name: why it is unavailable to agents, else its description. */
function summaryOf({ tool, exposure }: ListedTool): string {
  const why = isSwitchable(exposure) || exposure === 'needsReview' ? undefined : tool.reason
  const about = visibleText(why ?? tool.description ?? tool.title ?? '')
  return about.replace(/\s+/gu, ' ').trim() || 'No description'
}

/** A tool in one line: Enter opens it, Space turns it on or off, Shift+Space selects it. Memoized. */
export const ToolRow = memo(function ToolRow(props: ToolRowProps): JSX.Element {
  const { listed, under, isSelected, isMixed, index, isStop, top, acts: actions } = props
  const { tool, natures, exposure, isOn, server } = listed
  const press = (event: KeyboardEvent<HTMLButtonElement>): void => {
    if (event.key !== ' ') return
    event.preventDefault()
    if (event.type !== 'keydown') return
    if (event.shiftKey) actions.onSelect(listed, false)
    else if (isSwitchable(exposure)) actions.onToggle(listed, !isOn)
  }
  return (
    <li
      className={clsx(
        'tool-row absolute inset-x-0 top-0 grid items-center gap-3 border-b border-line px-5',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
      )}
      aria-posinset={props.position}
      aria-setsize={props.total}
      style={{ top }}
    >
      <input
        type="checkbox"
        className="check"
        tabIndex={-1}
        aria-label={`Select ${visibleText(tool.name)}`}
        checked={isSelected}
        onChange={() => undefined}
        onClick={({ shiftKey }) => actions.onSelect(listed, shiftKey)}
      />
      <Lead {...props} />
      <button
        type="button"
        className="tool-hit bare covers flex min-w-0 items-baseline gap-2"
        data-index={index}
        tabIndex={isStop ? 0 : -1}
        aria-keyshortcuts="Space Shift+Space"
        onClick={() => actions.onOpen(listed)}
        onKeyDown={press}
        onKeyUp={press}
      >
        <code className={exposure === 'exposed' ? 'truncate font-medium' : 'truncate text-muted'}>
          {visibleText(tool.name)}
        </code>
        {isMixed && (
          <span className="max-w-1/2 truncate flex-none text-small text-faint">{server.name}</span>
        )}
      </button>
      <span className="hide-small truncate text-faint" dir="auto">
        {summaryOf(listed)}
      </span>
      <span className="tool-tail flex items-center gap-2">
        <span className="tool-marks gapless hide-small flex items-center gap-1">
          {tool.securityWarnings.length > 0 && (
            <Tag tone="warn" icon={TriangleAlert}>
              {warningsBrief(tool.securityWarnings)}
            </Tag>
          )}
          {natures
            .filter((nature) => nature !== 'other' && nature !== under)
            .map((nature) => (
              <Tag key={nature}>{NATURE_LABEL[nature]}</Tag>
            ))}
        </span>
        <Exposure {...props} />
        {tool.uses > 0 && (
          <span className="hide-small text-right text-small whitespace-nowrap text-faint tabular-nums">
            {usesText(tool.uses)}
          </span>
        )}
      </span>
      <span className="row-size hide-small text-right text-small whitespace-nowrap text-faint tabular-nums">
        {tool.tokens !== undefined && tokensText(tool.tokens)}
      </span>
      <ButtonLink
        tabIndex={-1}
        size="small"
        variant="quiet"
        icon={Play}
        className="row-action hide-small"
        href={toolRunPath(tool.installationId, 'tool', tool.name)}
        aria-label={`Try it: ${visibleText(tool.name)}`}
      >
        Try it
      </ButtonLink>
    </li>
  )
})
