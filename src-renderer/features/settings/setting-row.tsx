import { RotateCcw } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useState } from 'react'

import type { Settings } from '../../../src-shared/domain/state/settings'
import {
  isSeconds,
  STANDARD_SETTINGS,
  typedSeconds,
  typedWhole,
} from '../../components/settings/setting-rules'
import {
  type ChoiceSetting,
  type NumberSetting,
  rangeOf,
  type SettingEntry,
  type SwitchSetting,
  type TextSetting,
} from '../../components/settings/settings-table'
import { appStore } from '../../stores/app-store'
import { IconButton } from '../../ui/controls/icon-button'
import { Segmented } from '../../ui/controls/segmented'
import { Select } from '../../ui/controls/select'
import { Switch } from '../../ui/controls/switch'
import { ProblemText } from '../../ui/fields/problem-text'
import { WarnText } from '../../ui/fields/problem-text'
import { TextInput } from '../../ui/fields/text-input'
import { saveSettings, saveTyped } from './save-settings'

/** More choices than these stand in a list. */
const MOST_SEGMENTS = 3

type Ids = { readonly id: string; readonly 'aria-describedby': string }

/** A setting on one line: what it is and does at the left, the way back to its default, and its control at the right. */
function Row(props: {
  readonly of: SettingEntry
  /** Follows the description. */
  readonly more?: string | undefined
  readonly isStandard: boolean
  readonly onReset: () => void
  readonly problem: string | undefined
  readonly isWide?: boolean
  readonly below?: ReactNode
  readonly children: (ids: Ids) => ReactNode
}): ReactElement {
  const { of, more, isStandard, onReset, problem, isWide = false, below, children } = props
  const { key: id, label, description } = of
  const unit = of.kind === 'number' ? of.unit : undefined
  return (
    <div className={`setting ruled ${isWide ? 'is-wide' : ''}`}>
      <div className="stack gap-1 slim">
        <label id={`${id}-label`} htmlFor={id} className="medium">
          {label}
          {unit !== undefined && <span className="sr">{` (${unit})`}</span>}
        </label>
        <p id={`${id}-hint`} className="soft small pretty break">
          {more === undefined ? description : `${description} ${more}`}
        </p>
        {problem !== undefined && <ProblemText id={`${id}-problem`}>{problem}</ProblemText>}
        {below}
      </div>
      <span className="setting-reset">
        {!isStandard && (
          <IconButton small icon={RotateCcw} label={`Reset ${label}`} onClick={onReset} />
        )}
      </span>
      <div className="setting-control">{children({ id, 'aria-describedby': `${id}-hint` })}</div>
    </div>
  )
}

function SwitchRow({ of, settings }: RowProps<SwitchSetting>): ReactElement {
  const { key, label } = of
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const save = (on: boolean): void => void saveSettings({ [key]: on }).then(setProblem)
  return (
    <Row
      of={of}
      isStandard={settings[key] === STANDARD_SETTINGS[key]}
      onReset={() => save(STANDARD_SETTINGS[key])}
      problem={problem}
    >
      {(ids) => (
        <Switch {...ids} aria-label={label} checked={settings[key]} onCheckedChange={save} />
      )}
    </Row>
  )
}

function ChoiceRow({ of, settings, more }: RowProps<ChoiceSetting>): ReactElement {
  const { key, label, options } = of
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const save = (value: string): void => void saveSettings({ [key]: value }).then(setProblem)
  const control = { value: settings[key], options, onValueChange: save }
  return (
    <Row
      of={of}
      more={more}
      isStandard={settings[key] === STANDARD_SETTINGS[key]}
      onReset={() => save(STANDARD_SETTINGS[key])}
      problem={problem}
    >
      {(ids) =>
        options.length > MOST_SEGMENTS ? (
          <Select {...ids} {...control} options={[...options]} />
        ) : (
          <Segmented {...ids} {...control} label={label} />
        )
      }
    </Row>
  )
}

/** Saved with Enter or when it is left; Esc brings back what is in force. */
function TypedRow(props: {
  readonly of: NumberSetting | TextSetting
  readonly value: string
  readonly standard: string
  readonly onSave: (text: string) => Promise<string | undefined>
  readonly more?: string
  readonly below?: ReactNode
}): ReactElement {
  const { of, value, standard, onSave, more, below } = props
  // Null while what is in force is shown, so that a change from elsewhere appears.
  const [typed, setTyped] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const save = async (text: string): Promise<void> => {
    setTyped(text)
    const trouble = text === value ? undefined : await onSave(text)
    setProblem(trouble)
    // What was typed meanwhile stays.
    if (trouble === undefined) setTyped((now) => (now === text ? null : now))
  }
  const isNumber = of.kind === 'number'
  return (
    <Row
      of={of}
      more={more}
      isStandard={value === standard && typed === null}
      onReset={() => void save(standard)}
      problem={problem}
      isWide={!isNumber}
      below={below}
    >
      {(ids) => (
        <TextInput
          {...ids}
          aria-invalid={problem === undefined ? undefined : true}
          mono={!isNumber}
          className={isNumber ? 'num brief' : undefined}
          inputMode={isNumber ? 'decimal' : 'url'}
          placeholder={of.kind === 'text' ? of.placeholder : undefined}
          value={typed ?? value}
          onValueChange={setTyped}
          onBlur={() => {
            if (typed !== null) void save(typed.trim())
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur()
            if (event.key !== 'Escape' || typed === null) return
            event.stopPropagation()
            setTyped(null)
            setProblem(undefined)
          }}
          suffix={
            isNumber && of.unit !== undefined ? (
              <span className="faint" aria-hidden>
                {of.unit}
              </span>
            ) : undefined
          }
        />
      )}
    </Row>
  )
}

function NumberRow({ of, settings }: RowProps<NumberSetting>): ReactElement {
  const { key, unit } = of
  const scale = isSeconds(key) ? 1_000 : 1
  const read = (text: string): ReturnType<ReturnType<typeof typedWhole>> =>
    isSeconds(key)
      ? typedSeconds(key, appStore.getState().app?.settings)(text)
      : typedWhole(key)(text)
  return (
    <TypedRow
      of={of}
      more={`${rangeOf(of)}${unit === undefined ? '' : ` ${unit}`}.`}
      value={String(settings[key] / scale)}
      standard={String(STANDARD_SETTINGS[key] / scale)}
      onSave={saveTyped(read)}
    />
  )
}

type RowProps<S extends SettingEntry> = {
  readonly of: S
  readonly settings: Settings
  /** Follows the description of a choice. */
  readonly more?: string | undefined
  /** A warning about what is typed. */
  readonly warning?: string | undefined
}

/** The control of one setting; every change is saved immediately. */
export function SettingRow(props: RowProps<SettingEntry>): ReactElement {
  const { of, settings, more, warning } = props
  switch (of.kind) {
    case 'switch':
      return <SwitchRow of={of} settings={settings} />
    case 'choice':
      return <ChoiceRow of={of} settings={settings} more={more} />
    case 'number':
      return <NumberRow of={of} settings={settings} />
    case 'text':
      return (
        <TypedRow
          of={of}
          value={settings[of.key]}
          standard={STANDARD_SETTINGS[of.key]}
          onSave={saveTyped(of.read)}
          below={<WarnText>{warning ?? null}</WarnText>}
        />
      )
  }
}
