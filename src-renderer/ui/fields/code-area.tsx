import type { ComponentProps, ReactElement } from 'react'

type CodeAreaProps = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  value: string
  onValueChange: (value: string) => void
}

/** Several lines of text that a machine reads. */
export function CodeArea({ value, onValueChange, ...rest }: CodeAreaProps): ReactElement {
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
