import { defineErrors } from '../define/error.ts';

export const orgErrors = defineErrors('org', {
  nameTaken: { status: 409, en_US: 'An organization of this name exists.', zh_CN: '已存在同名组织。', ko: '같은 이름의 조직이 있습니다.', pt_BR: 'Já existe uma organização com este nome.' },
});
