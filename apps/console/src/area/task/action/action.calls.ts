import { remote } from '../../../kit/session/call.ts';

export const addTask = remote('addTask', 'POST /api/f/task/task');
