import { RotateCcw, RotateCw } from 'lucide-react'
import { type ReactElement, type ReactNode, useId, useState } from 'react'

import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { Settings } from '../../../src-shared/domain/state/settings'
import { serverActions } from '../../components/server/actions'
import {
  rangeOf,
  scaleOf,
  type SettingEntry,
  STANDARD_SETTINGS,
  typedNumber,
  type TypedSetting,
} from '../../components/settings/settings-table'
import { call, toErrorShape } from '../../ipc/call'
import { attempt } from '../../ipc/show-failure'
import type { Loaded } from '../../ipc/use-request'
import { appStore } from '../../stores/app-store'
import { usePickPath } from '../../stores/pick-path'
import { Button, IconButton } from '../../ui/controls/button'
import { Segmented, Select, Switch } from '../../ui/controls/choice'
import { ProblemText, TextInput } from '../../ui/fields/field'
import { useTypedText } from '../../ui/fields/use-typed-text'
import { Banner } from '../../ui/layout/page'
import { counted, formatList, problemText } from '../../ui/text/format'

const MAX_SEGMENTS = 3

type Ids = { readonly id: string; readonly 'aria-describedby': string }

type RowHead = {
  readonly id: string
  readonly label: string
  readonly description: ReactNode
  readonly unit?: string | undefined
  /** Text next to the label. */
  readonly note?: string
  /** Content below: a warning outside the description. */
  readonly below?: ReactNode
}

/** A setting on one line: label and description on the left, a reset button, and the control on the right. */
function Row(
  props: RowHead & {
    readonly isStandard: boolean
    readonly onReset: () => void
    readonly problem: string | undefined
    readonly isWide?: boolean
    readonly children: (ids: Ids) => ReactNode
  },
): ReactElement {
  const { id, label, description, unit, note, below, isStandard, onReset, problem } = props
  const { isWide = false, children } = props
  return (
    <div className={`setting border-b border-line ${isWide ? 'is-wide' : ''}`}>
      <div className="grid min-w-0 gap-1">
        <div className="flex flex-wrap items-baseline gap-2 gap-y-0">
          <label id={`${id}-label`} htmlFor={id} className="font-medium">
            {label}
            {unit !== undefined && <span className="sr-only">{` (${unit})`}</span>}
          </label>
          {note !== undefined && <span className="text-small text-faint">{note}</span>}
        </div>
        <div id={`${id}-hint`} className="text-small text-pretty wrap-anywhere text-muted">
          {description}
        </div>
        {problem !== undefined && <ProblemText id={`${id}-problem`}>{problem}</ProblemText>}
        {below}
      </div>
      <span>
        {!isStandard && (
          <IconButton small icon={RotateCcw} label={`Reset ${label}`} onClick={onReset} />
        )}
      </span>
      <div className="setting-control min-w-0 justify-self-end">
        {children({ id, 'aria-describedby': `${id}-hint` })}
      </div>
    </div>
  )
}

/** A setting with a text input, saved on Enter or blur; Esc restores the current value. */
export function TypedRow(
  props: RowHead & {
    readonly value: string
    readonly standard: string
    /** Saves the text; resolves to a problem if it is invalid. */
    readonly onSave: (text: string) => Promise<string | undefined>
    readonly isNumber?: boolean
    /** The current value while nothing is typed. */
    readonly placeholder?: string | undefined
    /** Content inside the frame on the right. */
    readonly suffix?: ReactNode
  },
): ReactElement {
  const { value, standard, onSave, isNumber = false, placeholder, suffix, unit, ...head } = props
  const { isTyped, problem, save, input } = useTypedText(value, onSave)
  return (
    <Row
      {...head}
      unit={unit}
      isStandard={value === standard && !isTyped}
      onReset={() => void save(standard)}
      problem={problem}
      isWide={!isNumber}
    >
      {(ids) => (
        <TextInput
          {...ids}
          aria-invalid={problem === undefined ? undefined : true}
          mono={!isNumber}
          className={isNumber ? 'brief tabular-nums' : undefined}
          inputMode={isNumber ? 'decimal' : 'url'}
          placeholder={placeholder}
          {...input}
          suffix={
            unit === undefined ? (
              suffix
            ) : (
              <span className="text-faint" aria-hidden>
                {unit}
              </span>
            )
          }
        />
      )}
    </Row>
  )
}

/** Chooses the file of a setting; the input keeps the focus. */
export function BrowseButton(props: {
  /** Object of the button's accessible name: "Browse for …". */
  readonly of: string
  readonly onPick: (path: string) => Promise<unknown>
}): ReactElement {
  const { of, onPick } = props
  const pick = usePickPath('file')
  const browse = async (): Promise<void> => {
    const path = await pick?.()
    if (typeof path === 'string') await onPick(path)
  }
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={`Browse for ${of}`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void attempt(browse())}
    >
      Browse
    </Button>
  )
}

/** The control of one setting; every change is saved immediately. */
export function SettingRow(props: {
  readonly of: SettingEntry
  readonly settings: Settings
  /** Text after the description. */
  readonly more?: string | undefined
  readonly below?: ReactNode
}): ReactElement {
  const { of, settings, more, below } = props
  const { key, label } = of
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const save = (value: unknown): void => void saveSettings({ [key]: value }).then(setProblem)
  const description = more === undefined ? of.description : `${of.description} ${more}`
  const head = { id: key, label, description, below }
  const row = {
    ...{ ...head, problem },
    isStandard: settings[key] === STANDARD_SETTINGS[key],
    onReset: () => save(STANDARD_SETTINGS[key]),
  }
  switch (of.kind) {
    case 'switch':
      return (
        <Row {...row}>
          {(ids) => (
            <Switch {...ids} aria-label={label} checked={settings[of.key]} onCheckedChange={save} />
          )}
        </Row>
      )
    case 'choice': {
      const control = { value: settings[of.key], options: [...of.options], onValueChange: save }
      return (
        <Row {...row}>
          {(ids) =>
            of.options.length > MAX_SEGMENTS ? (
              <Select {...ids} {...control} />
            ) : (
              <Segmented {...ids} {...control} label={label} />
            )
          }
        </Row>
      )
    }
    case 'number': {
      const scale = scaleOf(of.key)
      const range = `${rangeOf(of.key)}${of.unit === undefined ? '' : ` ${of.unit}`}.`
      return (
        <TypedRow
          {...head}
          isNumber
          unit={of.unit}
          description={`${description} ${range}`}
          value={String(settings[of.key] / scale)}
          standard={String(STANDARD_SETTINGS[of.key] / scale)}
          onSave={saveTyped((text) => typedNumber(of.key, appStore.getState().app?.settings)(text))}
        />
      )
    }
    case 'text':
      return (
        <TypedRow
          {...head}
          placeholder={of.placeholder}
          value={settings[of.key]}
          standard={STANDARD_SETTINGS[of.key]}
          onSave={saveTyped(of.read)}
        />
      )
  }
}

/** Saves a change; resolves to the problem if main rejects it. */
export async function saveSettings(change: Partial<Settings>): Promise<string | undefined> {
  try {
    await call('settings.update', change)
    return undefined
  } catch (thrown) {
    return problemText(toErrorShape(thrown))
  }
}

/** Saves run one by one, because validation depends on the values saved before. */
const saves = { last: Promise.resolve<unknown>(undefined) }

/** Returns a function that saves typed text, or resolves to its problem; `read` runs after all earlier saves. */
export function saveTyped(
  read: (text: string) => TypedSetting,
): (text: string) => Promise<string | undefined> {
  return (text) => {
    const save = saves.last.then(() => {
      const typed = read(text)
      return 'problem' in typed ? typed.problem : saveSettings(typed.change)
    })
    // The caller handles a failure; the next save must run anyway.
    saves.last = save.catch(() => undefined)
    return save
  }
}

/** A block of settings under a heading; `aside` is on its right, with a refresh button for `request`. */
export function SettingsBlock(props: {
  readonly title: string
  readonly aside?: ReactNode
  readonly request?: { readonly loaded: Loaded<unknown>; readonly retry: () => void }
  readonly children: ReactNode
}): ReactElement {
  const { title, aside, request, children } = props
  const { loaded, retry } = request ?? {}
  const id = useId()
  return (
    <section className="flex flex-col gap-4" aria-labelledby={id} data-testid="settings-block">
      <div className="flex flex-wrap items-center gap-2">
        <h3 id={id} className="min-w-0 flex-1 font-medium" tabIndex={-1}>
          {title}
        </h3>
        {aside}
        {loaded && (
          <Button size="small" icon={RotateCw} busy={loaded.kind === 'loading'} onClick={retry}>
            Refresh
          </Button>
        )}
      </div>
      {loaded?.kind === 'failed' && <ProblemText>{loaded.problem.message}</ProblemText>}
      {children}
    </section>
  )
}

/** Names the servers that started before a setting changed, with one button that restarts them all. */
export function RestartNotice(props: { readonly waiting: readonly ServerView[] }): ReactElement {
  const { waiting } = props
  const names = formatList(waiting.map(({ name }) => name))
  return (
    <div className="gapless" role="status">
      {waiting.length > 0 && (
        <Banner
          severity="info"
          title="Restart to apply changes."
          action={
            <Button
              size="small"
              icon={RotateCw}
              onClick={() => {
                for (const { installationId } of waiting) void serverActions.restart(installationId)
              }}
            >
              {waiting.length === 1
                ? `Restart ${names}`
                : `Restart ${counted(waiting.length, 'server')}`}
            </Button>
          }
        >
          {names}
        </Banner>
      )}
    </div>
  )
}
