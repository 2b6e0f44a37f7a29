import type { OnError } from 'n8n-workflow';

/** Every setting of On Error. */
export const onErrors: OnError[] = ['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'];
