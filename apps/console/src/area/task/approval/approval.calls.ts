import { queryOptions } from '@tanstack/react-query';
import { call, remote } from '../../../kit/api/call.ts';

const rule = remote('getApprovalRule', 'GET /api/f/task/approval/rule');
export const editApprovalRule = remote('editApprovalRule', 'PUT /api/f/task/approval/rule');

export const approvalRuleQuery = () =>
  queryOptions({ queryKey: ['approvalRule'], queryFn: ({ signal }) => call(rule, {}, { signal }) });
