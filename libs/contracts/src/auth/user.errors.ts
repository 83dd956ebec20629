import { defineErrors } from '../define/error.ts';

/** Spec, section 8, "Account and channel". */
export const userErrors = defineErrors('user', {
  tooYoung: { status: 400, en_US: 'Accounts are for people of at least 13 years: confirm it.', zh_CN: '账号仅供年满 13 周岁的人使用，请确认。', ko: '계정은 만 13세 이상만 사용할 수 있습니다. 확인해 주세요.', pt_BR: 'Contas são para pessoas com pelo menos 13 anos: confirme.' },
  nameTaken: { status: 409, en_US: 'This login name is in use.', zh_CN: '该登录名已被使用。', ko: '이미 사용 중인 로그인 이름입니다.', pt_BR: 'Este nome de acesso já está em uso.' },
  restoreTaken: { status: 409, en_US: 'The login name or email of {names} is in use by now.', zh_CN: '{names} 的登录名或邮箱现已被使用。', ko: '{names}의 로그인 이름 또는 이메일이 이미 사용 중입니다.', pt_BR: 'O nome de acesso ou o e-mail de {names} já está em uso.' },
  emailTaken: { status: 409, en_US: 'This email already exists.', zh_CN: '该邮箱已存在。', ko: '이미 등록된 이메일입니다.', pt_BR: 'Este e-mail já existe.' },
  emailSame: { status: 400, en_US: 'The email is the same as the original one.', zh_CN: '新邮箱与原邮箱相同。', ko: '이메일이 기존과 같습니다.', pt_BR: 'O e-mail é igual ao original.' },
  emailInvalid: { status: 400, en_US: 'Invalid email address.', zh_CN: '邮箱格式无效。', ko: '올바르지 않은 이메일 주소입니다.', pt_BR: 'E-mail inválido.' },
  emailMissing: { status: 400, en_US: 'An email address is needed to activate the account by mail.', zh_CN: '通过邮件激活账号需要邮箱地址。', ko: '메일로 계정을 활성화하려면 이메일 주소가 필요합니다.', pt_BR: 'É preciso um e-mail para ativar a conta por e-mail.' },
  nameFormat: { status: 400, en_US: 'A login name has no spaces, @, quotes or angle brackets.', zh_CN: '登录名不能包含空格、@、引号或尖括号。', ko: '로그인 이름에는 공백, @, 따옴표, 꺾쇠괄호를 쓸 수 없습니다.', pt_BR: 'O nome de acesso não pode ter espaços, @, aspas nem sinais < >.' },
  passwordMissing: { status: 400, en_US: 'A first password is needed, because the account is activated by it.', zh_CN: '账号通过密码激活，请设置初始密码。', ko: '비밀번호로 활성화하므로 초기 비밀번호가 필요합니다.', pt_BR: 'É preciso uma senha inicial, pois a conta é ativada por ela.' },
  missing: { status: 404, en_US: 'The user does not exist.', zh_CN: '用户不存在。', ko: '사용자가 없습니다.', pt_BR: 'O usuário não existe.' },
  beyondOwnRights: { status: 403, en_US: 'This gives or holds rights that you do not have yourself.', zh_CN: '其中包含您自己没有的权限。', ko: '본인에게 없는 권한이 포함되어 있습니다.', pt_BR: 'Isto dá ou contém permissões que você mesmo não tem.' },
  beyondOwnOrganizations: { status: 403, en_US: 'You can give only organizations that you see yourself.', zh_CN: '您只能分配自己可见的组织。', ko: '본인이 볼 수 있는 조직만 지정할 수 있습니다.', pt_BR: 'Você só pode atribuir organizações que você mesmo vê.' },
  organizationMissing: { status: 400, en_US: 'Choose at least one organization.', zh_CN: '请至少选择一个组织。', ko: '조직을 하나 이상 선택하세요.', pt_BR: 'Escolha pelo menos uma organização.' },
  notYourself: { status: 409, en_US: 'You cannot do this to your own account.', zh_CN: '不能对自己的账号执行此操作。', ko: '본인 계정에는 수행할 수 없습니다.', pt_BR: 'Você não pode fazer isto com a própria conta.' },
  notInactive: { status: 409, en_US: 'The account is active already.', zh_CN: '账号已激活。', ko: '이미 활성화된 계정입니다.', pt_BR: 'A conta já está ativa.' },
  imageWrong: { status: 400, en_US: 'The picture must be a JPG or PNG of at most 100 KB.', zh_CN: '图片必须为 JPG 或 PNG，且不超过 100 KB。', ko: '이미지는 100KB 이하의 JPG 또는 PNG여야 합니다.', pt_BR: 'A imagem deve ser JPG ou PNG de até 100 KB.' },
});
