import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node'
import { answerCall } from '~/http/endpoints/calls/table.server'

// All JSON calls: app/http/endpoints/calls.
export const loader = (args: LoaderFunctionArgs) => answerCall(args)
export const action = (args: ActionFunctionArgs) => answerCall(args)
