<?xml version="1.0"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:param name="most" select="10"/>
  <xsl:template match="order">
    <p><xsl:value-of select="@id"/></p>
  </xsl:template>
  <xsl:template name="total">
    <xsl:variable name="sum" select="sum(//price)"/>
  </xsl:template>
</xsl:stylesheet>
