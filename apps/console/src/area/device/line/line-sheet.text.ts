import { defineTexts } from '../../../kit/text/define.ts';

export const lineSheetTexts = defineTexts({
  'lineSheet.title': {
    en_US: { one: 'Edit lines of {{number}} device', other: 'Edit lines of {{number}} devices' },
    zh_CN: '编辑 {{number}} 台设备的线路',
    ko: '장치 {{number}}대의 회선 편집',
    pt_BR: {
      one: 'Editar linhas de {{number}} dispositivo',
      many: 'Editar linhas de {{number}} dispositivos',
      other: 'Editar linhas de {{number}} dispositivos',
    },
  },
  'lineSheet.tooMany': {
    en_US: 'Select at most {{most}} devices to edit their lines together.',
    zh_CN: '一次最多可编辑 {{most}} 台设备的线路。',
    ko: '회선을 함께 편집하려면 장치를 최대 {{most}}대 선택하세요.',
    pt_BR: 'Selecione no máximo {{most}} dispositivos para editar as linhas juntas.',
  },
  'lineSheet.failed': {
    en_US: 'The lines can’t be loaded',
    zh_CN: '无法加载线路',
    ko: '회선을 불러올 수 없음',
    pt_BR: 'Não foi possível carregar as linhas',
  },
  'lineSheet.loading': {
    en_US: { one: '{{done}} of {{number}} device loaded', other: '{{done}} of {{number}} devices loaded' },
    zh_CN: '已加载 {{done}} / {{number}} 台设备',
    ko: '장치 {{number}}대 중 {{done}}대 불러옴',
    pt_BR: {
      one: '{{done}} de {{number}} dispositivo carregado',
      many: '{{done}} de {{number}} dispositivos carregados',
      other: '{{done}} de {{number}} dispositivos carregados',
    },
  },
  'lineSheet.progress': {
    en_US: 'Loading lines',
    zh_CN: '正在加载线路',
    ko: '회선 불러오는 중',
    pt_BR: 'Carregando linhas',
  },
  'lineSheet.leaveText': {
    en_US: 'Changed lines are not saved and will be lost.',
    zh_CN: '已更改的线路尚未保存，将会丢失。',
    ko: '변경한 회선이 저장되지 않아 사라집니다.',
    pt_BR: 'As linhas alteradas não foram salvas e serão perdidas.',
  },
  'lineSheet.tools': { en_US: 'Tools', zh_CN: '工具', ko: '도구', pt_BR: 'Ferramentas' },
  'lineSheet.undo': { en_US: 'Undo', zh_CN: '撤销', ko: '실행 취소', pt_BR: 'Desfazer' },
  'lineSheet.redo': { en_US: 'Redo', zh_CN: '重做', ko: '다시 실행', pt_BR: 'Refazer' },
  'lineSheet.fillDown': { en_US: 'Fill down', zh_CN: '向下填充', ko: '아래로 채우기', pt_BR: 'Preencher abaixo' },
  'lineSheet.hint': {
    en_US:
      'Type a number, or number@server. Paste from a spreadsheet. Ctrl+D fills down, Delete empties, Esc leaves the table.',
    zh_CN: '输入号码或“号码@服务器”，也可从电子表格粘贴。Ctrl+D 向下填充，Delete 清空，Esc 离开表格。',
    ko: '번호 또는 번호@서버를 입력하거나 스프레드시트에서 붙여 넣으세요. Ctrl+D는 아래로 채우고 Delete는 비우며 Esc는 표에서 나갑니다.',
    pt_BR:
      'Digite um número ou número@servidor, ou cole de uma planilha. Ctrl+D preenche abaixo, Delete esvazia, Esc sai da tabela.',
  },
  'lineSheet.table': { en_US: 'Lines', zh_CN: '线路', ko: '회선', pt_BR: 'Linhas' },
  'lineSheet.device': { en_US: 'Device', zh_CN: '设备', ko: '장치', pt_BR: 'Dispositivo' },
  'lineSheet.cell': {
    en_US: 'Line {{line}} of {{device}}',
    zh_CN: '{{device}} 的线路 {{line}}',
    ko: '{{device}}의 회선 {{line}}',
    pt_BR: 'Linha {{line}} de {{device}}',
  },
  'lineSheet.hidden': { en_US: 'Not visible', zh_CN: '不可见', ko: '볼 수 없음', pt_BR: 'Não visível' },
  'lineSheet.unknown': {
    en_US: 'No account {{number}}',
    zh_CN: '没有账号 {{number}}',
    ko: '{{number}} 계정이 없음',
    pt_BR: 'Não há conta {{number}}',
  },
  'lineSheet.ambiguous': {
    en_US: 'Name the server: {{choices}}',
    zh_CN: '请指明服务器：{{choices}}',
    ko: '서버를 지정하세요: {{choices}}',
    pt_BR: 'Indique o servidor: {{choices}}',
  },
  'lineSheet.beyond': {
    en_US: { one: '{{model}} has {{count}} line', other: '{{model}} has {{count}} lines' },
    zh_CN: '{{model}} 有 {{count}} 条线路',
    ko: '{{model}}의 회선은 {{count}}개입니다',
    pt_BR: {
      one: '{{model}} tem {{count}} linha',
      many: '{{model}} tem {{count}} linhas',
      other: '{{model}} tem {{count}} linhas',
    },
  },
  'lineSheet.closed': {
    en_US: 'This account can’t be assigned',
    zh_CN: '该账号无法分配',
    ko: '할당할 수 없는 계정',
    pt_BR: 'Esta conta não pode ser atribuída',
  },
  'lineSheet.twice': {
    en_US: 'Also on another line',
    zh_CN: '也用于其他线路',
    ko: '다른 회선에도 있음',
    pt_BR: 'Também em outra linha',
  },
  'lineSheet.unchanged': { en_US: 'No changes', zh_CN: '没有更改', ko: '변경 없음', pt_BR: 'Sem alterações' },
  'lineSheet.lines': {
    en_US: { one: '{{number}} line', other: '{{number}} lines' },
    zh_CN: '{{number}} 条线路',
    ko: '회선 {{number}}개',
    pt_BR: { one: '{{number}} linha', many: '{{number}} linhas', other: '{{number}} linhas' },
  },
  'lineSheet.devices': {
    en_US: { one: '{{number}} device', other: '{{number}} devices' },
    zh_CN: '{{number}} 台设备',
    ko: '장치 {{number}}대',
    pt_BR: { one: '{{number}} dispositivo', many: '{{number}} dispositivos', other: '{{number}} dispositivos' },
  },
  'lineSheet.review': {
    en_US: 'Changes: {{lines}} on {{devices}}',
    zh_CN: '更改：{{devices}}，{{lines}}',
    ko: '변경: {{devices}}, {{lines}}',
    pt_BR: 'Alterações: {{lines}} em {{devices}}',
  },
  'lineSheet.wrongMany': {
    en_US: { one: '{{number}} cell has an error', other: '{{number}} cells have errors' },
    zh_CN: '{{number}} 个单元格有错误',
    ko: '셀 {{number}}개에 오류가 있음',
    pt_BR: {
      one: '{{number}} célula tem erro',
      many: '{{number}} células têm erro',
      other: '{{number}} células têm erro',
    },
  },
  'lineSheet.refusedMany': {
    en_US: { one: '{{number}} device was not saved', other: '{{number}} devices were not saved' },
    zh_CN: '{{number}} 台设备未保存',
    ko: '장치 {{number}}대가 저장되지 않음',
    pt_BR: {
      one: '{{number}} dispositivo não foi salvo',
      many: '{{number}} dispositivos não foram salvos',
      other: '{{number}} dispositivos não foram salvos',
    },
  },
  'lineSheet.twiceMany': {
    en_US: { one: '{{number}} account is also on another line', other: '{{number}} accounts are also on other lines' },
    zh_CN: '{{number}} 个账号也用于其他线路',
    ko: '계정 {{number}}개가 다른 회선에도 있음',
    pt_BR: {
      one: '{{number}} conta também está em outra linha',
      many: '{{number}} contas também estão em outras linhas',
      other: '{{number}} contas também estão em outras linhas',
    },
  },
  'lineSheet.leftOutMany': {
    en_US: { one: '{{number}} pasted value had no cell', other: '{{number}} pasted values had no cell' },
    zh_CN: '{{number}} 个粘贴值没有对应的单元格',
    ko: '붙여 넣은 값 {{number}}개에 해당하는 셀이 없음',
    pt_BR: {
      one: '{{number}} valor colado ficou sem célula',
      many: '{{number}} valores colados ficaram sem célula',
      other: '{{number}} valores colados ficaram sem célula',
    },
  },
  'lineSheet.saved': {
    en_US: { one: 'Lines of {{number}} device saved', other: 'Lines of {{number}} devices saved' },
    zh_CN: '已保存 {{number}} 台设备的线路',
    ko: '장치 {{number}}대의 회선 저장됨',
    pt_BR: {
      one: 'Linhas de {{number}} dispositivo salvas',
      many: 'Linhas de {{number}} dispositivos salvas',
      other: 'Linhas de {{number}} dispositivos salvas',
    },
  },
  'audit.sipAccount.assignMany': {
    en_US: 'Edit lines of devices',
    zh_CN: '编辑设备线路',
    ko: '장치 회선 편집',
    pt_BR: 'Editar linhas de dispositivos',
  },
});
