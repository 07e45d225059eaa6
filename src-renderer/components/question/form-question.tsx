import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactElement, SyntheticEvent } from 'react'
import { useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'

import { Button } from '../../ui/controls/button'
import { PlainText } from '../../ui/text/plain-text'
import { ElicitationControl } from './elicitation-control'
import { QuestionFrame, ServerSays } from './question-frame'
import type { QuestionOf } from './question-of'
import { keepDraft, readDraft, useServerName } from './question-store'
import type { AnswerContent, TypedAnswer } from './typed-answer'
import { answerSchema, startAnswer } from './typed-answer'
import type { Answering } from './use-answering'
import { useAnswering } from './use-answering'

function Answers(props: {
  readonly question: QuestionOf<'form'>
  readonly answering: Answering
  readonly formId: string
}): ReactElement {
  const { question, answering, formId } = props
  const { fields } = question.body
  const [schema] = useState(() => answerSchema(fields))
  const { control, getValues, handleSubmit } = useForm<TypedAnswer, unknown, AnswerContent>({
    resolver: zodResolver(schema),
    defaultValues: readDraft(question) ?? startAnswer(fields),
  })
  useEffect(() => () => keepDraft(question, getValues()), [question, getValues])
  const submit = handleSubmit((content) => answering.send({ kind: 'accept', content }))
  return (
    <form
      id={formId}
      className="stack gap-3 above-4"
      noValidate
      onSubmit={(event: SyntheticEvent) => void submit(event)}
    >
      {fields.map((field, index) => (
        <ElicitationControl
          key={index}
          field={field}
          index={index}
          idPrefix={formId}
          control={control}
        />
      ))}
    </form>
  )
}

/** A form that a server asks a user to fill in. */
export function FormQuestion({
  question,
}: {
  readonly question: QuestionOf<'form'>
}): ReactElement {
  const formId = useId()
  const answering = useAnswering(question)
  const { isResting, send } = answering
  const server = useServerName()(question)
  return (
    <QuestionFrame
      question={question}
      answering={answering}
      said={
        <ServerSays question={question}>
          <PlainText className="ink" text={question.body.message} />
        </ServerSays>
      }
      actions={
        <>
          <Button size="form" disabled={isResting} onClick={() => send({ kind: 'decline' })}>
            Decline
          </Button>
          <Button size="form" variant="primary" disabled={isResting} type="submit" form={formId}>
            Send
          </Button>
        </>
      }
    >
      <div className="faint small above-2">
        {`Your answers go to ${server}. Don’t enter passwords, API keys, or card numbers: servers must not ask for them in a form.`}
      </div>
      <Answers question={question} answering={answering} formId={formId} />
    </QuestionFrame>
  )
}
