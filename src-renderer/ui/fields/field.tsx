import './controls.css'

import clsx from 'clsx'
import { Folder, type LucideIcon } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, ReactElement, ReactNode, Ref } from 'react'

import { Button, LearnMore } from '../controls/button'
import { Switch } from '../controls/choice'
import { StatusGlyph } from '../marks/status-glyph'

/** Ids and attributes that connect a control with its label, hint and problem. */
export type ControlIds = {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

type FieldProps = {
  /** Element id of the control; hint and problem derive theirs from it. */
  readonly id: string
  readonly label: string
  /** Technical name, at the right of the label in mono. */
  readonly machineName?: string | undefined
  /** Shown next to the label: that the default applies, or a button that restores it. */
  readonly note?: ReactNode
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  /** Shown last: buttons and warnings that are no part of the description. */
  readonly below?: ReactNode
}

/** Returns the ids and ARIA state of the control with this id. */
export function controlIds(props: Pick<FieldProps, 'id' | 'hint' | 'problem'>): ControlIds {
  const { id, hint, problem } = props
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`]
  return {
    id,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
    'aria-invalid': problem === undefined ? undefined : true,
  }
}

/** Label of one control or several. */
export function Label(
  props: Pick<FieldProps, 'id' | 'label' | 'machineName' | 'note'> & {
    /** Labels a single element. */
    readonly isOfOne: boolean
    /** Already visible elsewhere, so only for screen readers. */
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
  /** The control is no single element that a label can name, and uses the label as its own name. */
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

/** A switch with immediate effect. */
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

/** Several controls under one label; they show their own problems. */
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
  /** Shown inside the frame at the right: a button or a word. */
  suffix?: ReactNode
  inputRef?: Ref<HTMLInputElement>
}

/** A one-line input in the app's design. */
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
 * A one-line input that grows with pasted lines, because a native one would silently remove line breaks from a value. Enter adds none;
 * Shift+Enter does.
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

/** A multi-line input for technical text. */
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
  /** Opens the system's dialog and resolves to the path or null; without it there is no Browse button. */
  pick?: (() => Promise<string | null>) | undefined
  /** Receives the picked path if it differs from typing it. */
  onPick?: (path: string) => void
  /** Distinguishes the Browse button from neighboring ones; "Browse" by default. */
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

/** One problem with the error glyph, and *Learn more* if `topic` is its error code; `alert` announces it immediately. */
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

/** A warning with its glyph, announced when it appears; an empty live region without text. */
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
