import './controls.css'

import clsx from 'clsx'
import { Folder, type LucideIcon } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode, Ref } from 'react'

import { Button, LearnMore } from '../controls/button'
import { Switch } from '../controls/choice'
import { StatusGlyph } from '../marks/status-glyph'

/** What a control needs to be read together with its label, hint and problem. */
export type ControlIds = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

type FieldProps = {
  /** Element id of the control; hint and problem derive theirs from it. */
  readonly id: string
  readonly label: string
  /** What the machine reads, at the right of the label in mono. */
  readonly machineName?: string | undefined
  /** Stands beside the label: that the default applies, a way back to it. */
  readonly note?: ReactNode
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  /** Stands last: buttons and warnings that are no part of the description. */
  readonly below?: ReactNode
}

/** Ids and ARIA state of the control called `id`, as its label, hint and problem are drawn. */
export function controlIds(props: Pick<FieldProps, 'id' | 'hint' | 'problem'>): ControlIds {
  const { id, hint, problem } = props
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`]
  return {
    id,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': problem === undefined ? undefined : true,
  }
}

/** What stands above a control, or above several of them. */
export function Label(
  props: Pick<FieldProps, 'id' | 'label' | 'machineName' | 'note'> & {
    /** Names a single element. */
    readonly isOfOne: boolean
    /** It was said before, and is for those alone who cannot see that. */
    readonly isSaid?: boolean
  },
): ReactElement {
  const { id, label, machineName, note, isOfOne, isSaid = false } = props
  return (
    <div className={isSaid ? 'sr-only' : 'label flex min-w-0 items-baseline gap-2 font-medium'}>
      {isOfOne ? (
        <label id={`${id}-label`} htmlFor={id}>
          {label}
        </label>
      ) : (
        <span id={`${id}-label`}>{label}</span>
      )}
      {note}
      {machineName !== undefined && (
        <span
          className="from mono ms-auto max-w-1/2 truncate font-normal text-faint"
          title={machineName}
        >
          {machineName}
        </span>
      )}
    </div>
  )
}

function Hint({ id, hint }: Pick<FieldProps, 'id' | 'hint'>): ReactElement | null {
  if (hint === undefined) return null
  return (
    <div className="text-small text-pretty wrap-anywhere text-muted" id={`${id}-hint`}>
      {hint}
    </div>
  )
}

function Problem({ id, problem }: Pick<FieldProps, 'id' | 'problem'>): ReactElement | null {
  return problem === undefined ? null : <ProblemText id={`${id}-problem`}>{problem}</ProblemText>
}

type ControlProps = FieldProps & {
  readonly children: (ids: ControlIds) => ReactNode
  /** The control is no single element that a label can name, and has the label as its own name. */
  readonly isGroup?: boolean
}

/** One control under its label, with hint and problem below it. */
export function Field(props: ControlProps): ReactElement {
  const { children, below, isGroup = false } = props
  return (
    <div className="field grid gap-1">
      <Label {...props} isOfOne={!isGroup} />
      {children(controlIds(props))}
      <Problem {...props} />
      <Hint {...props} />
      {below}
    </div>
  )
}

/** A switch at the right of its label and hint. */
export function InlineField(
  props: FieldProps & { readonly children: (ids: ControlIds) => ReactNode },
): ReactElement {
  const { children, below } = props
  return (
    <div className="flex items-start gap-4">
      <div className="field grid min-w-0 flex-1 gap-1">
        <Label {...props} isOfOne />
        <Hint {...props} />
        <Problem {...props} />
        {below}
      </div>
      {children(controlIds(props))}
    </div>
  )
}

/** What is on or off, immediately. */
export function SwitchField({
  checked,
  onCheckedChange,
  ...field
}: FieldProps & Pick<ComponentProps<typeof Switch>, 'checked' | 'onCheckedChange'>): ReactElement {
  return (
    <InlineField {...field}>
      {(ids) => <Switch {...ids} checked={checked} onCheckedChange={onCheckedChange} />}
    </InlineField>
  )
}

/** Several controls under one label; they show their problems themselves. */
export function GroupField(props: FieldProps & { readonly children: ReactNode }): ReactElement {
  const { id, hint, children, below } = props
  return (
    <div
      className="field grid gap-1"
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={hint === undefined ? undefined : `${id}-hint`}
    >
      <Label {...props} isOfOne={false} />
      <Hint {...props} />
      {children}
      {below}
    </div>
  )
}

type TextInputProps = Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'ref'> & {
  value: string
  onValueChange: (value: string) => void
  mono?: boolean
  icon?: LucideIcon
  /** Stands inside the frame at the right: a button, a word. */
  suffix?: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

/** A one-line input in the frame of the house. */
export function TextInput(props: TextInputProps): ReactElement {
  const { value, onValueChange, mono = false, icon: Icon, suffix, inputRef, ...rest } = props
  const bad = rest['aria-invalid'] === true
  return (
    <div className={clsx('input', bad && 'is-invalid', rest.disabled === true && 'is-disabled')}>
      {Icon ? <Icon className="icon icon-s text-faint" aria-hidden="true" /> : null}
      <input
        spellCheck={false}
        autoComplete="off"
        {...rest}
        ref={inputRef}
        className={clsx(mono && 'mono', rest.className)}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
      />
      {suffix}
    </div>
  )
}

type AreaProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  value: string
  onValueChange: (value: string) => void
}

/**
 * An input of one line that grows with pasted lines: a one-line input would take the line breaks out
 * of a value without a word. Enter alone adds none; Shift+Enter does.
 */
export function GrowingInput({ value, onValueChange, ...rest }: AreaProps): ReactElement {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey) event.preventDefault()
  }
  return (
    <textarea
      rows={1}
      spellCheck={false}
      autoComplete="off"
      onKeyDown={onKeyDown}
      {...rest}
      className={clsx(
        'input growing-input',
        rest['aria-invalid'] === true && 'is-invalid',
        rest.className,
      )}
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}

/** Several lines of text that a machine reads. */
export function CodeArea({ value, onValueChange, ...rest }: AreaProps): ReactElement {
  return (
    <textarea
      rows={8}
      spellCheck={false}
      autoComplete="off"
      {...rest}
      className="input mono bounded"
      value={value}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}

type PathInputProps = Omit<ComponentProps<typeof TextInput>, 'icon' | 'mono' | 'suffix'> & {
  /** Opens the system's dialog and resolves with the path, or null; without it there is no Browse button. */
  pick?: (() => Promise<string | null>) | undefined
  /** Gets the path that was picked, where that is not as if it were typed. */
  onPick?: (path: string) => void
  /** Names the Browse button apart from its neighbours'; "Browse" without it. */
  browseLabel?: string
}

/** An input for a path on this computer. */
export function PathInput(props: PathInputProps): ReactElement {
  const { pick, onPick = props.onValueChange, browseLabel, ...rest } = props
  async function browse(): Promise<void> {
    const path = await pick?.()
    if (typeof path === 'string') onPick(path)
  }
  return (
    <TextInput
      {...rest}
      icon={Folder}
      mono
      suffix={
        pick && (
          <Button
            variant="quiet"
            size="small"
            aria-label={browseLabel}
            onClick={() => void browse()}
          >
            Browse
          </Button>
        )
      }
    />
  )
}

/** One problem with the error glyph, and *Learn more* where `topic` is its error code; `alert` announces it immediately. */
export function ProblemText(props: {
  readonly id?: string
  readonly alert?: boolean
  readonly topic?: string | undefined
  readonly children: ReactNode
}): ReactElement {
  const { id, alert = true, topic, children } = props
  return (
    <p
      className="problem is-error flex gap-2 text-small font-medium text-status"
      id={id}
      role={alert ? 'alert' : undefined}
    >
      <StatusGlyph status="error" />
      <span>
        {children}
        {topic !== undefined && (
          <>
            {' '}
            <LearnMore topic={topic} />
          </>
        )}
      </span>
    </p>
  )
}

/** A warning in words with its glyph, spoken when it appears; without words only the place where it will. */
export function WarnText({ children }: { readonly children: ReactNode }): ReactElement {
  const isEmpty = children === undefined || children === null
  return (
    <p
      className={
        isEmpty ? 'sr-only' : 'problem is-degraded flex gap-2 text-small font-medium text-status'
      }
      role="status"
    >
      {isEmpty ? null : (
        <>
          <StatusGlyph status="degraded" />
          <span>{children}</span>
        </>
      )}
    </p>
  )
}
